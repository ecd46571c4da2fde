const isFull = Boolean(process.env['TEST_FULL'])

/** Rows of a table of tests that only the full run tries, like tests tagged `full`: variations of the others. */
export const inFull = <const Row>(rows: readonly Row[]): readonly Row[] => (isFull ? rows : [])

/** How many random samples a test tries: `few`, or in the full run `many`. */
export const samples = (few: number, many: number): number => (isFull ? many : few)
