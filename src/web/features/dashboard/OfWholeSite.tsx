import { useHistoryView } from './history/use-history-view.ts'

/** Says that what follows isn't about the chosen search type; nothing for web search. */
export function OfWebSearch({ what }: { what: string }) {
  const [{ type }] = useHistoryView()
  return type === 'web' ? null : <p className="text-sm text-muted">{what} is for web search only.</p>
}

/** Says that what follows isn't narrowed by the chosen segment; nothing without one. */
export function OfWholeSite({ what }: { what: string }) {
  const [{ segment }] = useHistoryView()
  return segment === '' ? null : <p className="text-sm text-muted">{what} cover the whole site, not just this segment.</p>
}
