// Prints a short line, one line of argv[2] bytes, another short line, and exits 0.
process.stdout.write('first\n');
process.stdout.write(`${'y'.repeat(Number(process.argv[2]))}\n`);
process.stdout.write('last\n');
