// Numbered changes of `decide` that alter effects or their order (run.md, Size). A run carries the number it was started with and is
// raised at a roll-over; `decide` branches on it, so that open runs replay as they were recorded.
// Each number says what it changed, and when its branch may go.
//
// 1  the first rules. Nothing to branch on.

export const RULES = 1;
