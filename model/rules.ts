// Numbered changes of `decide` that alter effects or their order (run.md, Size). The number is part of a run's input, so that a replay
// finds it in the history: the client stamps it at the start, and a run that continues as new raises it for the next execution.
// `decide` branches on it, so that open runs replay as they were recorded. Each number says what it changed, and when its branch may go.
//
// 1  the first rules. Nothing to branch on.
// 2  a) A node that can no longer start has told everything below it so; when it is cancelled then, it is not counted there again
//       (with `needs-settled` below it, the second count left that node waiting for ever).
//    b) A run says that it settled only when everything before that is in its journal: it could say `complete` and end failed.
//       What it says last goes there by the activity that writes its result, in one, instead of a batch of its own before that.
//    c) What is not written 2 s after the last answer of the journal is written then; it waited for the next input.
//    The branches may go with the histories of 0.1.0.

export const RULES = 2;
