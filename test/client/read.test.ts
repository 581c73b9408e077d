// How a query is asked: again when no answer comes, for at most ten seconds, and not again when the answer is that nobody is there.

import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@temporalio/client';
import type { Door } from '../../client/connect.js';
import { readStatus } from '../../client/read.js';

const failed = (code: number): ServiceError => new ServiceError('query failed', { cause: Object.assign(new Error('no'), { code }) });

/** A door behind which the tries go as told; `waits` are the deadlines that were set. */
function door(answers: (ServiceError | object)[]): { door: Door; waits: number[] } {
  const waits: number[] = [];
  const query = async (): Promise<object> => {
    const answer = answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const connection = {
    withDeadline: (at: number, work: () => Promise<unknown>) => {
      waits.push(at - Date.now());
      return work();
    },
  };
  return { door: { client: { workflow: { getHandle: () => ({ query }) } }, connection } as unknown as Door, waits };
}

describe('a query of a run', () => {
  it('that is late is asked again: the execution it was for may have continued as new', async () => {
    const { door: opened, waits } = door([failed(4), failed(4), { seq: 1 }]);
    expect(await readStatus(opened, 'r')).toEqual({ ok: true, value: { seq: 1 } });
    expect(waits.map((ms) => Math.ceil(ms / 100) * 100)).toEqual([800, 1_600, 3_200]);
  });

  it('that is late four times is given up, as without a worker', async () => {
    const { door: opened, waits } = door([failed(4), failed(4), failed(4), failed(4)]);
    expect(await readStatus(opened, 'r')).toMatchObject({ ok: false, refusal: { code: 'no-worker' } });
    expect(waits).toHaveLength(4);
  });

  it('that is late and then finds the buffer full is given up as without a worker too', async () => {
    const { door: opened } = door([failed(4), failed(4), failed(8), failed(8)]);
    expect(await readStatus(opened, 'r')).toMatchObject({ ok: false, refusal: { code: 'no-worker' } });
  });

  it.each([1, 2, 8, 10, 13])('that a busy server sends back with status %i is asked again', async (code) => {
    const { door: opened, waits } = door([failed(code), { seq: 1 }]);
    expect(await readStatus(opened, 'r')).toEqual({ ok: true, value: { seq: 1 } });
    expect(waits).toHaveLength(2);
  });

  it('that is sent back each time is a refusal with the reason, not a defect', async () => {
    expect(await readStatus(door([8, 8, 8, 8].map(failed)).door, 'r')).toEqual({
      ok: false,
      refusal: { code: 'unreachable', message: expect.stringContaining('try again'), cause: expect.stringContaining('query failed') },
    });
  });

  it.each([
    [9, 'no-worker'],
    [5, 'not-found'],
  ])('that is answered with status %i is not asked again', async (code, refusal) => {
    const { door: opened, waits } = door([failed(code), {}]);
    expect(await readStatus(opened, 'r')).toMatchObject({ ok: false, refusal: { code: refusal } });
    expect(waits).toHaveLength(1);
  });
});
