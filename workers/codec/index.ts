// The codec chain's door: for clients, workers and tests.

export { PayloadError } from './codec.js';
export type { PayloadErrorCode } from './codec.js';
export { createDataConverter, isLoopback, payloadStore } from './data-converter.js';
export type { DataConverterOptions } from './data-converter.js';
export { readEncryptionKey } from './key.js';
export type { KeyReading } from './key.js';
