import { Autocomplete } from '@base-ui/react/autocomplete'
import { clsx } from 'clsx'
import { spansOf } from '../../lib/matching.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { Marked } from '../../ui/Marked.tsx'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import type { Entry } from './entries.ts'

type EntryRowProps = { entry: Entry; text: string; outdated: boolean; onChoose: (entry: Entry) => void }

/** `text`: what is looked for, which stands out in the label. */
export function EntryRow({ entry, text, outdated, onChoose }: EntryRowProps) {
  const { label, icon: Icon, note, keys, isAddress } = entry
  const spans = spansOf(label, text)
  return (
    <Autocomplete.Item
      value={entry}
      onClick={() => onChoose(entry)}
      className={clsx(
        'flex min-h-10 scroll-my-8 items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-sunken lg:min-h-9',
        outdated && 'opacity-50',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1" title={label}>
        {isAddress ? (
          // Its two halves would be read as two words.
          <>
            <span className="sr-only">{label}</span>
            <span aria-hidden>
              <MiddleCut text={label} spans={spans} />
            </span>
          </>
        ) : (
          <span className="block truncate">
            <Marked text={label} spans={spans} />
          </span>
        )}
      </span>
      {note !== undefined && <span className="shrink-0 text-sm text-muted tabular-nums">{note}</span>}
      {keys && (
        <span aria-hidden className="flex shrink-0 gap-1 max-lg:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </Autocomplete.Item>
  )
}
