import type { SearchType } from '../../../../contract/common.ts'
import type { CsvRecord } from './csv.ts'
import { ImportRefusal, shown } from '../refusal.ts'
import { roleOf, searchTypeOf } from './words.ts'

export type ExportSettings = { searchType: SearchType; notes: string[] }

/**
 * What an export says of itself: the search type from its table of filters (header first, then
 * search type, period and whatever was filtered), else from the name that Search Console gives the
 * ZIP, else web.
 */
export function exportSettings(filters: readonly CsvRecord[], uploadName: string, file?: string): ExportSettings {
  const notes: string[] = []
  let searchType: SearchType | undefined
  filters.slice(1).forEach(({ fields, line }, index) => {
    const [label = '', value = ''] = fields.map((field) => field.trim())
    const role = roleOf(label)
    if (role === 'searchType' || (index === 0 && role === undefined && searchTypeOf(value))) {
      const type = searchTypeOf(value)
      if (type === 'googleNews') throw googleNews(file, line)
      if (type) searchType = type
      else notes.push(`The search type "${shown(value, 40)}" wasn't recognized, so the data was stored as web search.`)
    } else if (role !== 'date' && index > 1) {
      notes.push(`The export was filtered (${shown(label, 40)}: ${shown(value)}), so the stored totals cover only that part.`)
    } else if (role === 'page' || role === 'query' || role === 'country' || role === 'device') {
      notes.push(`The export was filtered (${shown(label, 40)}: ${shown(value)}), so the stored totals cover only that part.`)
    }
  })
  if (/Performance-on-Google-News/i.test(uploadName)) throw googleNews(file)
  return { searchType: searchType ?? (/Performance-on-Discover/i.test(uploadName) ? 'discover' : 'web'), notes }
}

const googleNews = (file?: string, line?: number): ImportRefusal =>
  new ImportRefusal('Google News app data isn\'t supported: export the "Search results" or "Discover" report', { file, line })
