import { CircleCheck } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { ImportAnswer } from '../../../contract/import.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { useCurrentUser } from '../current-user.ts'
import { useSelectProperty } from '../use-select-property.ts'

/** What an import stored, to be held against the file. */
export function ImportResult({ answer, onShown }: { answer: ImportAnswer; onShown?: () => void }) {
  const { selectedProperty } = useCurrentUser()
  const select = useSelectProperty()
  const navigate = useNavigate()

  function open() {
    onShown?.()
    void navigate(paths.dashboard)
  }

  function show() {
    if (answer.property === selectedProperty) open()
    else select.mutate(answer.property, { onSuccess: open })
  }

  const facts = [
    ['Dates', formatPeriod(answer, true)],
    ['Days', formatCount(answer.days)],
    ['Rows', formatCount(answer.rows)],
    ['Clicks', formatCount(answer.clicks)],
    ['Impressions', formatCount(answer.impressions)],
  ] as const
  return (
    <div className="rounded-control border border-line p-4">
      <output className="flex items-center gap-2 font-semibold break-words">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-positive" />
        {answer.changed ? `Imported into ${answer.property}` : `${answer.property} already has this exact file`}
      </output>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 tabular-nums">
        {facts.map(([term, fact]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      {answer.notes.length > 0 && (
        <ul className="mt-3 list-disc space-y-1 pl-5 text-sm text-muted">
          {answer.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <Button className="mt-4" disabled={select.isPending} onClick={show}>
        Show on the dashboard
      </Button>
    </div>
  )
}
