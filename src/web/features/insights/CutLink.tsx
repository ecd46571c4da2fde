import { Link } from 'react-router'
import { cutAfter } from '../../lib/cut.ts'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'

type CutLinkProps = { to: string; /** All of it, told on hover and focus. */ full: string; text?: string; most?: number }

/** A link with a name that may be long: cut after `most` characters, or else where its line ends. */
export function CutLink({ to, full, text = full, most }: CutLinkProps) {
  const shown = most === undefined ? text : cutAfter(text, most)
  const isCut = !full.includes(shown)
  return (
    <Tooltip wide content={<bdi>{full}</bdi>}>
      <Link
        to={to}
        aria-label={isCut || shown === full ? undefined : full}
        className="flex h-10 min-w-0 items-center rounded-sm font-medium hover:text-brand hover:underline lg:h-8"
      >
        <bdi aria-hidden={isCut} className="truncate">
          {shown}
        </bdi>
        {isCut && <span className="sr-only">{full}</span>}
      </Link>
    </Tooltip>
  )
}
