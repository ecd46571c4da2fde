import { FileText, type LucideIcon, Search } from 'lucide-react'
import { counted } from '../../../core/words.ts'
import type { SearchResults } from '../../../contract/search.ts'
import { fitOf } from '../../lib/matching.ts'
import type { Recent } from '../frame/shell-dialogs.ts'

/** A line of the palette. */
export type Entry = {
  /** Unique in the whole list. */
  id: string
  label: string
  /** More words that find it. */
  words?: string
  icon: LucideIcon
  /** A figure or hint at the right. */
  note?: string
  /** Its keyboard shortcut. */
  keys?: readonly string[]
  /** A URL, whose end matters more than its middle. */
  isAddress?: boolean
  /** The URL it opens, or its action. */
  choose: { to: string; recent?: Recent } | { run: () => void }
}
export type EntryGroup = { value: string; items: readonly Entry[]; outdated?: boolean }

/** Entries that match the text, best first, ties in their original order; without empty groups. */
export function fitting(groups: readonly EntryGroup[], text: string): EntryGroup[] {
  return groups
    .map((group) => ({ ...group, items: group.items.map((entry) => ({ entry, fit: fitOf(entry.label, entry.words ?? '', text) })) }))
    .map((group) => ({
      ...group,
      items: group.items
        .flatMap(({ entry, fit }) => (fit === null ? [] : [{ entry, fit }]))
        .sort((a, b) => a.fit - b.fit)
        .map(({ entry }) => entry),
    }))
    .filter((group) => group.items.length > 0)
}

/** Results of `GET /api/search`, as groups. */
export function foundGroups(results: SearchResults, property: string, outdated: boolean): EntryGroup[] {
  const clicks = (count: number) => counted(count, 'click')
  const keywords = results.keywords.map((row) => ({
    ...foundEntry({ kind: 'keyword', name: row.query, property }),
    note: clicks(row.clicks),
  }))
  const pages = results.pages.map((row) => ({ ...foundEntry({ kind: 'page', name: row.page, property }), note: clicks(row.clicks) }))
  return [
    { value: 'Keywords', items: keywords, outdated },
    { value: 'Pages', items: pages, outdated },
  ].filter((group) => group.items.length > 0)
}

/** Keywords and pages of this property opened before. */
export function recentGroup(recent: readonly Recent[], property: string | null): EntryGroup {
  const items = recent
    .filter((each) => each.property === property)
    .map((each) => ({ ...foundEntry(each), id: `recent ${each.kind} ${each.name}` }))
  return { value: 'Recent', items }
}

/** Links to its property's screen, filtered and with its panel open; whoever follows it adds the days. */
function foundEntry(found: Recent): Entry {
  const { kind, name, property } = found
  const query = new URLSearchParams({ search: name, [kind]: name, property })
  const to = kind === 'keyword' ? `/keyword-opportunities?tab=analysis&${query}` : `/page-analytics?${query}`
  return {
    id: `${kind} ${name}`,
    label: name,
    icon: kind === 'keyword' ? Search : FileText,
    isAddress: kind === 'page',
    choose: { to, recent: found },
  }
}
