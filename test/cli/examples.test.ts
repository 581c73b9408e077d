// The examples as the README runs them: the quickstart to its end, on a worker of its own; what a later release runs is refused by name.

import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseResult } from '../../model/run/result.js';
import { Place, ROOT } from '../support/place.js';

let place: Place;

beforeAll(async () => {
  place = await Place.open();
  await cp(join(ROOT, 'examples'), join(place.project, 'examples'), { recursive: true, filter: (path) => !path.includes('.sluice') });
});
afterAll(async () => {
  await place.close();
});

describe('examples', () => {
  it('the quickstart runs to its end, its agent is asked again, and its documents hold together', async () => {
    await place.worker();
    const said = await place.cli('run', 'examples/quickstart.yaml', '--id', 'quick-1', '--attest', 'approve');
    expect(said).toMatchObject({ code: 0 });
    expect(said.out.trimEnd().split('\n').at(-1)).toMatch(/^run quick-1: complete, 7 done/);
    const status = await place.status('quick-1');
    expect(status).toMatchObject({ state: 'complete', counts: { done: 7 } });
    expect(await place.node('quick-1', 'review')).toMatchObject({ status: 'done', attempt: 2 });
    const events = await place.events('quick-1');
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ kind: 'run-settled', payload: { state: 'complete' } });
    expect(parseResult(await place.json('result', 'quick-1'))).toMatchObject({ ok: true, result: { state: 'complete', ok: true } });
    const report = await readFile(join(place.project, 'examples', '.sluice', 'quickstart', 'quick-1.md'), 'utf8');
    expect(report).toContain('# quick-1');
  });

  it('release.yaml is checked, and refused at start with what is not there yet and its line', async () => {
    expect((await place.cli('check', 'examples/release.yaml', '--input', 'version=1.2.3')).err).not.toMatch(/error/i);
    const said = await place.cli('run', 'examples/release.yaml', '--input', 'version=1.2.3', '--detach');
    expect(said.code).toBe(2);
    expect(said.err).toMatch(/release\.yaml:\d+:\d+: .*not yet: change/);
  });
});
