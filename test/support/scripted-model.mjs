// A model scripted on loopback, for the real agent CLIs: Anthropic messages and OpenAI responses, no account, no network.
// The first path segment of a base URL is the mode; each request counts, and so do the tokens of each answer.
// Modes: text | tool | json | limit | login | credit | overloaded | hang. Must not know any adapter.

import http from 'node:http';

const SESSION_LIMIT_S = 7_200;

/** Refusals by mode: what each API answers. `now` is in seconds. */
const REFUSALS = {
  limit: {
    anthropic: (now) => ({
      status: 429,
      error: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
      headers: {
        'x-should-retry': 'false',
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(now + SESSION_LIMIT_S),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      },
    }),
    openai: (now) => ({
      status: 429,
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: now + SESSION_LIMIT_S,
      },
    }),
  },
  login: {
    anthropic: () => ({ status: 401, error: { type: 'authentication_error', message: 'invalid x-api-key' } }),
    openai: () => ({
      status: 401,
      error: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided' },
    }),
  },
  credit: {
    anthropic: () => ({
      status: 400,
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
    }),
    openai: () => ({
      status: 429,
      error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'You exceeded your current quota.' },
    }),
  },
  overloaded: {
    anthropic: () => ({ status: 529, error: { type: 'overloaded_error', message: 'Overloaded' }, headers: { 'x-should-retry': 'false' } }),
    openai: () => ({ status: 500, error: { message: 'the server had an error' } }),
  },
};

/** Tokens of one answer, told by each API in its own way: openai counts the cached part into its input. */
const TOKENS = {
  anthropic: { input_tokens: 11, cache_creation_input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 9 },
  openai: { input_tokens: 100, cached_tokens: 40, output_tokens: 20, reasoning_tokens: 5 },
};

/**
 * Starts the model on a free port of 127.0.0.1.
 * @param {{port?: number, command?: string, text?: string, json?: unknown}} [script] what it has run in mode `tool` (default: writes
 *   out.txt), says, and answers in mode `json`
 * @returns {Promise<{url: string, port: number, served: () => object, requests: () => object[], close: () => Promise<void>}>}
 */
export function startScriptedModel(script = {}) {
  const state = {
    command: script.command ?? 'echo hello > out.txt',
    text: script.text ?? 'All done.',
    json: script.json ?? { answer: 'done' },
    served: emptyCount(),
    requests: [],
  };
  const server = http.createServer((req, res) => void answer(req, res, state));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(script.port ?? 0, '127.0.0.1', () => {
      const { port } = server.address();
      const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
      resolve({ url: `http://127.0.0.1:${port}`, port, served: () => state.served, requests: () => state.requests, close });
    });
  });
}

function emptyCount() {
  return { requests: 0, answers: 0, anthropic: zero(TOKENS.anthropic), openai: zero(TOKENS.openai) };
}

function zero(tokens) {
  return Object.fromEntries(Object.keys(tokens).map((key) => [key, 0]));
}

async function answer(req, res, state) {
  const body = await readJson(req);
  if (req.url === '/__served') return json(res, 200, state.served);
  const [, mode = '', path = ''] = /^\/([\w-]+)(\/.*)?$/.exec(req.url.split('?')[0]) ?? [];
  if (req.method === 'HEAD') return res.writeHead(200).end();
  if (path.endsWith('/count_tokens')) return json(res, 200, { input_tokens: 10 });
  if (path.endsWith('/models')) return json(res, 200, { data: [], models: [] });
  const api = path.endsWith('/messages') ? 'anthropic' : path.endsWith('/responses') ? 'openai' : undefined;
  if (api === undefined) return json(res, 404, { error: { message: `nothing is scripted at ${req.url}` } });
  state.served.requests += 1;
  state.requests.push({ api, mode, body });
  if (mode === 'hang') return undefined;
  if (mode in REFUSALS) return refuse(res, REFUSALS[mode][api](Math.floor(Date.now() / 1000)));
  count(state.served, api);
  return api === 'anthropic' ? anthropicTurn(res, mode, body, state) : openaiTurn(res, mode, body, state);
}

async function readJson(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return {}; // probes come without a body
  }
}

function count(served, api) {
  served.answers += 1;
  for (const key of Object.keys(TOKENS[api])) served[api][key] += TOKENS[api][key];
}

function refuse(res, { status, error, headers = {} }) {
  json(res, status, { type: 'error', error }, headers);
}

function json(res, status, value, headers = {}) {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

function stream(res, events) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) res.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  res.end();
}

/** The tool that this turn calls, once: undefined when the conversation already holds a result, or the CLI offers none. */
function toolCall(mode, answered, tools, state) {
  if (answered) return undefined;
  if (mode === 'json' && tools.includes('StructuredOutput')) return { name: 'StructuredOutput', input: state.json };
  if (mode !== 'tool') return undefined;
  const name = tools.find((tool) => /^(Bash|exec_command|shell_command|shell|local_shell)$/.test(tool));
  if (name === undefined) return undefined;
  if (name === 'exec_command') return { name, input: { cmd: state.command } };
  if (name === 'shell') return { name, input: { command: ['bash', '-lc', state.command] } };
  return { name, input: { command: state.command, description: 'scripted' } };
}

function anthropicTurn(res, mode, body, state) {
  const answered = JSON.stringify(body.messages?.at(-1) ?? '').includes('tool_result');
  const call = toolCall(
    mode,
    answered,
    (body.tools ?? []).map((tool) => tool.name),
    state,
  );
  const block = call ? { type: 'tool_use', id: `toolu_${state.served.requests}`, name: call.name, input: {} } : { type: 'text', text: '' };
  const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) } : { type: 'text_delta', text: state.text };
  const stop = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null };
  const usage = TOKENS.anthropic;
  const message = { id: `msg_${state.served.requests}`, type: 'message', role: 'assistant', model: body.model, content: [] };
  if (!body.stream) {
    const content = [call ? { ...block, input: call.input } : { type: 'text', text: state.text }];
    return json(res, 200, { ...message, content, ...stop, usage });
  }
  const start = { ...message, stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  return stream(res, [
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage },
    { type: 'message_stop' },
  ]);
}

function openaiTurn(res, mode, body, state) {
  const answered = lastOf(body.input)?.type?.endsWith('_call_output') ?? false;
  const call = toolCall(
    mode,
    answered,
    (body.tools ?? []).map((tool) => tool.name ?? tool.type),
    state,
  );
  const text = mode === 'json' ? JSON.stringify(state.json) : state.text;
  const n = state.served.requests;
  const item = call
    ? {
        type: 'function_call',
        id: `fc_${n}`,
        call_id: `call_${n}`,
        name: call.name,
        arguments: JSON.stringify(call.input),
        status: 'completed',
      }
    : {
        type: 'message',
        id: `msg_${n}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
  const response = { id: `resp_${n}`, object: 'response', created_at: Math.floor(Date.now() / 1000), model: body.model };
  const opened = call ? { ...item, arguments: '', status: 'in_progress' } : { ...item, content: [], status: 'in_progress' };
  return stream(res, [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: opened },
    ...(call ? [] : [{ type: 'response.output_text.delta', item_id: item.id, output_index: 0, content_index: 0, delta: text }]),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage: openaiUsage() } },
  ]);
}

function lastOf(input) {
  return Array.isArray(input) ? input.at(-1) : undefined;
}

function openaiUsage() {
  const { input_tokens, cached_tokens, output_tokens, reasoning_tokens } = TOKENS.openai;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  };
}

// Run by itself: `node scripted-model.mjs [port]` prints its URL and serves until it is stopped.
if (process.argv[1] === new URL(import.meta.url).pathname) {
  const model = await startScriptedModel({ port: Number(process.argv[2] ?? 0) });
  console.log(model.url);
}
