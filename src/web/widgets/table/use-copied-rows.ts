import { useEffect, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { toast } from '../../ui/overlay/toast.ts'
import type { MoreRows } from '../../lib/hooks/paged-list.ts'

/** Rows per request for those that aren't loaded, and how many are copied at most: a spreadsheet takes more from a file. */
const rowsAtOnce = 1_000
const mostCopied = 10_000

const shownMillis = 4_000

type CopyState = { is: 'idle' | 'copying' } | { is: 'copied'; rows: number }

type CopiedRowsInput<Row> = {
  /** The loaded rows, in the table's order. */
  rows: readonly Row[]
  /** The others, if there are any. */
  more: MoreRows<Row> | undefined
  csvOf: (rows: readonly Row[]) => string
}

/**
 * Copies all rows of a list, including those that aren't loaded, and says for a moment how many there were. Rows of another choice aren't
 * copied: the others wouldn't fit them.
 */
export function useCopiedRows<Row>({ rows, more, csvOf }: CopiedRowsInput<Row>) {
  const [state, setState] = useState<CopyState>({ is: 'idle' })
  useEffect(() => {
    if (state.is !== 'copied') return
    const timer = setTimeout(() => setState({ is: 'idle' }), shownMillis)
    return () => clearTimeout(timer)
  }, [state])

  async function copy(): Promise<void> {
    if (state.is === 'copying') return
    setState({ is: 'copying' })
    const all = more?.hasMore === true ? withRest(rows, more.part) : Promise.resolve({ copied: rows, isWhole: true })
    // Reported below.
    all.catch(() => {})
    try {
      await write(all.then(({ copied }) => csvOf(copied)))
      const { copied, isWhole } = await all
      setState({ is: 'copied', rows: copied.length })
      if (!isWhole) toast.success(`First ${formatCount(copied.length)} Rows Copied`, 'Use Export to get all of them.')
    } catch {
      setState({ is: 'idle' })
      await all.then(
        // Browsers forbid it outside https, and people can too.
        () => toast.error('Not Copied', 'Your browser blocked copying. Select the text and copy it yourself.'),
        () => toast.error('Not Copied', 'The other rows could not be loaded. Please try again.'),
      )
    }
  }
  return { state, copy, isOff: more?.isOutdated === true }
}

async function withRest<Row>(loaded: readonly Row[], part: MoreRows<Row>['part']) {
  const copied = [...loaded]
  while (copied.length < mostCopied) {
    const limit = Math.min(rowsAtOnce, mostCopied - copied.length)
    // One after another: each says whether there is a next one.
    // oxlint-disable-next-line no-await-in-loop
    const next = await part(copied.length, limit)
    copied.push(...next)
    if (next.length < limit) return { copied, isWhole: true }
  }
  return { copied, isWhole: false }
}

/** Some browsers only allow it right after the click, which is when the promise is passed on. */
function write(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return text.then((known) => navigator.clipboard.writeText(known))
  const type = 'text/plain'
  return navigator.clipboard.write([new ClipboardItem({ [type]: text.then((known) => new Blob([known], { type })) })])
}
