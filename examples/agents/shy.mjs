// A stand-in for a coding agent in quickstart.yaml. In each run it says nothing the first time it is asked, as real ones
// sometimes do, so that Sluice asks again; then it answers what it was told. It keeps a marker below the ignored `.sluice/`.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const prompt = readFileSync(0, 'utf8');
const folder = `.sluice/shy/${process.env.SLUICE_RUN ?? 'by-hand'}`;
const marker = `${folder}/${process.env.SLUICE_NODE ?? 'node'}`;

if (existsSync(marker)) {
  const found = prompt.split('\n').filter((line) => /\d/.test(line));
  process.stdout.write(`Read ${prompt.length} characters. Worth a look: ${found.join('; ')}\n`);
} else {
  mkdirSync(folder, { recursive: true });
  writeFileSync(marker, `asked at ${new Date().toISOString()}\n`);
}
