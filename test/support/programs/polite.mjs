// Says `ready`, waits to be asked to stop, says by which signal, and exits with code 7.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.stdout.write(`stopped by ${signal}\n`, () => process.exit(7)));
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
