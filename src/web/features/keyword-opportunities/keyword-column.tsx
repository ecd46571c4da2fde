import type { Keyword } from '../../../contract/keywords.ts'
import { KeywordName } from './KeywordName.tsx'

/** What the rows of keywords are about. */
export const keywordColumn = { label: 'Keyword and page', cell: (row: Keyword) => <KeywordName {...row} /> }
