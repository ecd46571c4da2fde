const isFull = Boolean(process.env['TEST_FULL'])

/** Rows of a table of tests that only the full run tries, like tests tagged `full`: variations of the others. */
export const inFull = <const Row>(rows: readonly Row[]): readonly Row[] => (isFull ? rows : [])
