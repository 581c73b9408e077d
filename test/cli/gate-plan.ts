// The plan of these tests: a program, a person's decision, a program.

export const GATE = `version: 1
name: gate
nodes:
  before: { run: "echo one; echo two" }
  ok: { human: Look at it, needs: [before] }
  after: { run: "echo after >> after.ran", needs: [ok] }
`;
