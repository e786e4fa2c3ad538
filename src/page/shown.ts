/** How much is shown of many problems. */

/** How many kinds of problems of one batch are shown by default. */
export const SHOWN_PER_BATCH = 20

/** Up to so many problems of one kind are shown one by one; of more, the first stands for all. */
export const FEW = 3
