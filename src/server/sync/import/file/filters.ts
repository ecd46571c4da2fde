import type { SearchType } from '../../../../contract/common.ts'
import type { CsvRecord } from './csv.ts'
import { shown } from '../refusal.ts'
import { roleOf, searchTypeOf } from './vocabulary.ts'

export type ExportSettings = { searchType: SearchType; notes: string[] }

/**
 * An export's own settings: the search type from its filters table (header first, then search type, period and other filters), else from
 * Search Console's name for the ZIP, else web.
 */
export function exportSettings(filters: readonly CsvRecord[], uploadName: string): ExportSettings {
  const notes: string[] = []
  let searchType: SearchType | undefined
  filters.slice(1).forEach(({ fields }, index) => {
    const [label = '', value = ''] = fields.map((field) => field.trim())
    const role = roleOf(label)
    if (role === 'searchType' || (index === 0 && role === undefined && searchTypeOf(value))) {
      const type = searchTypeOf(value)
      if (type) searchType = type
      else notes.push(`The search type "${shown(value, 40)}" wasn't recognized, so the data was stored as web search.`)
    } else if (role !== 'date' && index > 1) {
      notes.push(`The export was filtered (${shown(label, 40)}: ${shown(value)}), so the stored totals cover only that part.`)
    } else if (role === 'page' || role === 'query' || role === 'country' || role === 'device') {
      notes.push(`The export was filtered (${shown(label, 40)}: ${shown(value)}), so the stored totals cover only that part.`)
    }
  })
  return { searchType: searchType ?? typeOfReport(uploadName), notes }
}

function typeOfReport(uploadName: string): SearchType {
  if (/Performance-on-Google-News/i.test(uploadName)) return 'googleNews'
  return /Performance-on-Discover/i.test(uploadName) ? 'discover' : 'web'
}
