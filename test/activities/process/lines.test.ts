// Lines out of bytes, however the bytes come.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter, type Line } from '../../../activities/process/lines.js';

function split(chunks: Buffer[], maxLineBytes?: number): Line[] {
  const lines: Line[] = [];
  const splitter = new LineSplitter({ onLine: (line) => lines.push(line), ...(maxLineBytes === undefined ? {} : { maxLineBytes }) });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

const texts = (chunks: Buffer[], max?: number): string[] => split(chunks, max).map(({ line }) => line);

describe('LineSplitter', () => {
  it.each([
    ['lines', 'a\nb\n', ['a', 'b']],
    ['a last line without newline', 'a\nb', ['a', 'b']],
    ['empty lines', '\n\na\n', ['', '', 'a']],
    ['nothing', '', []],
    ['carriage returns at the end, and only there', 'a\r\nb\rc\n', ['a', 'b\rc']],
    ['separators that are no newline', 'a\u2028b\u0085c\u000bd\n', ['a\u2028b\u0085c\u000bd']],
    ['colours and titles', '\u001b[31mred\u001b[0m\n\u001b]0;title\u0007text\n', ['red', 'text']],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x0a]), ['a\ufffd']],
    ['a character broken off by the end', Buffer.from([0x61, 0xe2, 0x82]), ['a\ufffd']],
  ])('%s', (_, input, lines) => {
    expect(texts([Buffer.from(input as string)])).toEqual(lines);
  });

  it('gives the same lines for every way to cut the bytes', () => {
    const line = fc.stringMatching(/^[a-zäß世🌍 ]{0,40}$/u);
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(30)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) chunks.push(bytes.subarray(at, (at += cut)));
        chunks.push(bytes.subarray(at));
        expect(texts(chunks)).toEqual(lines);
      }),
    );
  });

  it('cuts what is over the limit, counts it, and goes on with the next line', () => {
    const chunks = ['12345', '6789', '0\nnext\n'].map((text) => Buffer.from(text));
    expect(split(chunks, 8)).toEqual([
      { line: '12345678', cutBytes: 2 },
      { line: 'next', cutBytes: 0 },
    ]);
    expect(split([Buffer.from('1234567890\n12345678\n')], 8)).toEqual([
      { line: '12345678', cutBytes: 2 },
      { line: '12345678', cutBytes: 0 },
    ]);
  });

  it('cuts before a character, not through it', () => {
    expect(split([Buffer.from('ab€\n')], 4)).toEqual([{ line: 'ab', cutBytes: 1 }]);
  });

  it('takes a line of 64 MiB in chunks of 64 KiB in linear time', () => {
    const chunk = Buffer.alloc(64 * 1024, 'z');
    const took = (chunks: number): number => {
      const from = process.hrtime.bigint();
      const [line] = split([...Array.from({ length: chunks }, () => chunk), Buffer.from('\n')]);
      expect([line?.line.length, line?.cutBytes]).toEqual([chunks * chunk.length, 0]);
      return Number(process.hrtime.bigint() - from) / 1e6;
    };
    took(64);
    // eight times the bytes; quadratic work would be 64 times as much
    expect(took(1024)).toBeLessThan(30 * Math.max(took(128), 5));
  });

  it('takes a line that comes byte by byte', () => {
    const byte = Buffer.from('q');
    const [line] = split([...Array.from({ length: 1_000_000 }, () => byte), Buffer.from('\n')]);
    expect(line?.line.length).toBe(1_000_000);
  });

  it('strips a hostile megabyte of escapes in time', () => {
    const from = Date.now();
    split([Buffer.from(`${'\u001b]a;b'.repeat(200_000)}\n`)]);
    expect(Date.now() - from).toBeLessThan(5_000);
  });
});
