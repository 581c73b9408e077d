// The files that `sluice init` writes, with the comments that explain them.

/** A plan that runs as it stands. Without an agent the agent nodes are there as comments. */
export function planText(name: string, agent: string | undefined): string {
  const head = [
    '# A plan: nodes, and what each needs. A node starts the moment its needs are done.',
    '# Check it with `sluice check plan.yaml`, start it with `sluice run plan.yaml`.',
    'version: 1',
    `name: ${name}`,
    'goal: Find one thing worth mending here, and mend it.',
    'concurrency: 4            # agents and programs at once',
  ];
  return [...head, ...(agent === undefined ? withoutAgent() : withAgent(agent)), ''].join('\n');
}

function withAgent(agent: string): string[] {
  return [
    `defaults: { agent: ${agent}, timeout: 30m }`,
    'nodes:',
    '  state:                  # a program: argv, no shell',
    '    run: [ls, -la]',
    '  survey:                 # an agent: its last message is its output',
    '    agent: { prompt: "Name one small thing worth mending in this repository. Change nothing.", permissions: read }',
    '  approve:                # a person, with `sluice attest RUN approve`',
    '    human: "Shall this be done? ${{ needs.survey.output }}"',
    '    needs: [state, survey]',
    '  mend:',
    '    agent: { prompt: "Do what was found, and nothing else: ${{ needs.survey.output }}", permissions: edit }',
    '    needs: [approve, survey]',
  ];
}

function withoutAgent(): string[] {
  return [
    'defaults: { timeout: 30m }',
    'nodes:',
    '  state:                  # a program: argv, no shell',
    '    run: [ls, -la]',
    '  approve:                # a person, with `sluice attest RUN approve`',
    '    human: "Is this the state you want to start from? ${{ needs.state.output }}"',
    '    needs: [state]',
    '  last:',
    '    run: [echo, done]',
    '    needs: [approve]',
    '  # No agent was found on PATH. With claude or codex installed:',
    '  # mend:',
    '  #   agent: { prompt: "Mend one small thing.", use: claude, permissions: edit }',
    '  #   needs: [approve]',
  ];
}

/** Everything in it is a comment: the defaults hold until somebody decides otherwise. */
export function configText(agents: readonly string[]): string {
  return [
    '# Settings of this project; ~/.config/sluice/config.yaml has yours, SLUICE_* and flags outrank both.',
    '# `sluice doctor --config` shows each value and where it comes from.',
    `# agents found: ${agents.length === 0 ? 'none' : agents.join(', ')}`,
    '#',
    '# defaults: { agent: claude, model: sonnet }',
    '# agents:',
    '#   claude: { model: sonnet, env: [ANTHROPIC_API_KEY] }',
    '#   mine: { adapter: command, argv: [./agent.sh], prompt: stdin, output: text }',
    '',
  ].join('\n');
}
