// A lint rule of our own: imports come in three groups, node built-ins, then packages, then files of the project.
// It knows nothing of the import table (.dependency-cruiser.cjs does) and fixes nothing: moving an import may move a comment.

const GROUPS = ['a node built-in', 'a package', 'a file of the project'];

/** Index in GROUPS of what `source` names. */
function groupOf(source) {
  if (source.startsWith('node:')) return 0;
  return source.startsWith('.') ? 2 : 1;
}

export const importOrder = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { order: '{{here}} is imported after {{before}}: built-ins first, then packages, then files of the project.' },
  },
  create(context) {
    let highest = 0;
    return {
      ImportDeclaration(node) {
        const group = groupOf(node.source.value);
        if (group < highest) context.report({ node, messageId: 'order', data: { here: GROUPS[group], before: GROUPS[highest] } });
        highest = Math.max(highest, group);
      },
    };
  },
};
