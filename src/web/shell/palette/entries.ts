import { FileText, type LucideIcon, Search } from 'lucide-react'
import type { SearchResults } from '../../../contract/search.ts'
import { formatCount } from '../../lib/format.ts'
import { fitOf } from '../../lib/matching.ts'
import type { Recent } from '../frame/shell-dialogs.ts'

/** Something that can be chosen. */
export type Entry = {
  /** Of its own in the whole list. */
  id: string
  label: string
  /** By which it is found as well. */
  words?: string
  icon: LucideIcon
  /** A figure or what else stands at the right. */
  note?: string
  /** Keys that do the same. */
  keys?: readonly string[]
  /** An address, whose end matters more than its middle. */
  isAddress?: boolean
  /** Where it leads, or what it does. */
  choose: { to: string; recent?: Recent } | { run: () => void }
}
export type EntryGroup = { value: string; items: readonly Entry[]; outdated?: boolean }

/** What fits what somebody looks for, the best first and otherwise in its order; groups without anything are left out. */
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

/** `GET /api/search` looks at as many; on the screens it is one of the ranges. */
const searchedDays = '28'

/** `GET /api/search`, as groups. */
export function foundGroups(results: SearchResults, property: string, outdated: boolean): EntryGroup[] {
  const clicks = (count: number) => `${formatCount(count)} ${count === 1 ? 'click' : 'clicks'}`
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

/** What was opened before, of this property. */
export function recentGroup(recent: readonly Recent[], property: string | null): EntryGroup {
  const items = recent
    .filter((each) => each.property === property)
    .map((each) => ({ ...foundEntry(each), id: `recent ${each.kind} ${each.name}` }))
  return { value: 'Recent', items }
}

/** Leads to its screen already filtered, with everything about it open, for the days in which it was looked for. */
function foundEntry(found: Recent): Entry {
  const { kind, name } = found
  const query = new URLSearchParams({ days: searchedDays, search: name, [kind]: name })
  const to = kind === 'keyword' ? `/keyword-opportunities?tab=analysis&${query}` : `/page-analytics?${query}`
  return {
    id: `${kind} ${name}`,
    label: name,
    icon: kind === 'keyword' ? Search : FileText,
    isAddress: kind === 'page',
    choose: { to, recent: found },
  }
}
