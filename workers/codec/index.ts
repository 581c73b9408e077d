// The codec chain's door: for clients, workers and tests.

export { PayloadError } from './codec.js';
export { createDataConverter, payloadStore } from './data-converter.js';
export { readEncryptionKey } from './key.js';
