// The wire between a worker and its guard: frames of `length (u32), type (u8), id (u32)`, little endian, then the payload.
// Binary, because most of it is output of children. It knows nothing of processes.

/** What a worker tells its guard. The frame's `id` is the child's, numbered by the worker. */
export const TO_GUARD = {
  /** JSON `SpawnRequest` */
  spawn: 1,
  /** bytes for the child's stdin */
  stdin: 2,
  stdinEnd: 3,
  stop: 4,
  kill: 5,
  /** JSON `{session?, spoke?}` */
  note: 6,
  /** u32: bytes of stdout, of stderr, that the reader is through with */
  stdoutCredit: 7,
  stderrCredit: 8,
  /** the exit was read: its local record may go */
  acknowledge: 9,
} as const;

/** What a guard tells its worker. */
export const TO_WORKER = {
  /** JSON `{pid, start}` of the guard: it serves */
  hello: 32,
  /** JSON `{pid}` */
  started: 33,
  /** JSON `SpawnFailure` */
  failed: 34,
  stdout: 35,
  stderr: 36,
  /** JSON `ChildExit`, after the last byte of output */
  exited: 37,
} as const;

export type ToGuard = (typeof TO_GUARD)[keyof typeof TO_GUARD];
export type ToWorker = (typeof TO_WORKER)[keyof typeof TO_WORKER];

const HEADER_BYTES = 9;
/** No honest frame is larger: argv and environment together are at most 2 MiB on Linux, output comes in pieces of 64 KiB. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** The header of a frame. The payload is written after it, not copied behind it: output is most of the traffic. */
export function frameHeader(type: ToGuard | ToWorker, id: number, payloadBytes: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32LE(payloadBytes, 0);
  header.writeUInt8(type, 4);
  header.writeUInt32LE(id, 5);
  return header;
}

/** Payload of a credit frame. */
export function creditPayload(bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32LE(bytes, 0);
  return payload;
}

export type FrameHandler<T> = (type: T, id: number, payload: Buffer) => void;

/** Puts frames together from the chunks of a stream. A payload is a view of the chunk it came in, valid as long as it is held. */
export class FrameReader<T extends ToGuard | ToWorker> {
  readonly #onFrame: FrameHandler<T>;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** joining waits until a whole frame is there, so that a frame in many chunks is copied once */
  #needed = HEADER_BYTES;

  constructor(onFrame: FrameHandler<T>) {
    this.#onFrame = onFrame;
  }

  /** @throws RangeError on a length that no peer of ours writes: the stream cannot be trusted any further */
  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return;
    const rest = this.#emit(this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts));
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#needed = rest.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + payloadBytes(rest, 0);
  }

  #emit(data: Buffer): Buffer {
    let at = 0;
    while (data.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + payloadBytes(data, at);
      if (end > data.length) break;
      this.#onFrame(data.readUInt8(at + 4) as T, data.readUInt32LE(at + 5), data.subarray(at + HEADER_BYTES, end));
      at = end;
    }
    return data.subarray(at);
  }
}

function payloadBytes(data: Buffer, at: number): number {
  const bytes = data.readUInt32LE(at);
  if (bytes > MAX_PAYLOAD_BYTES) throw new RangeError(`a frame of ${bytes} bytes between worker and guard: the pipe is out of step`);
  return bytes;
}
