import { CircleHelp } from 'lucide-react'
import { sitePages } from '../../../contract/screens.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'

/** Above a list with scores: what they say, and on demand how they come about. */
export function ScoreExplained() {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 text-muted">
      <p>The score is the estimated extra clicks a week if the keyword reached position 3.</p>
      <Popover
        label="How the score is calculated"
        title="How the score is calculated"
        triggerClass={buttonClass('quiet', '-mx-2 px-2! text-muted!')}
        trigger={
          <>
            <CircleHelp aria-hidden />
            How the score is calculated
          </>
        }
      >
        <div className="flex w-80 max-w-full flex-col gap-2.5 pb-1">
          <p>It’s based on:</p>
          <ul className="list-disc space-y-1 pl-5">
            <li>the keyword’s impressions per week</li>
            <li>the CTR at its current position</li>
            <li>the CTR at position 3</li>
          </ul>
          <p>CTR by position is estimated from this property’s own data.</p>
          <p>
            A score of 20 means about 20 more clicks a week. Priority is High from 20, Medium from 10 and Low below that. Keywords already
            at position 3 or better score 0.
          </p>
          <a
            href={`${sitePages.help}#opportunity-score`}
            className="inline-flex min-h-10 items-center font-medium text-brand hover:underline"
          >
            More about the score
          </a>
        </div>
      </Popover>
    </div>
  )
}
