import { CircleHelp } from 'lucide-react'
import { sitePages } from '../../../contract/screens.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/Popover.tsx'

/** Above a list with scores: what they say, and on demand how they come about. */
export function ScoreExplained() {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 text-muted">
      <p>The score is the estimated extra clicks a week if the keyword rose to position 3.</p>
      <Popover
        label="How the score is made"
        title="How the score is made"
        triggerClass={buttonClass('quiet', '-mx-2 px-2! text-muted!')}
        trigger={
          <>
            <CircleHelp aria-hidden />
            How the score is made
          </>
        }
      >
        <div className="flex w-80 max-w-full flex-col gap-2.5 pb-1">
          <p>Three things go into it:</p>
          <ul className="list-disc space-y-1 pl-5">
            <li>how often the keyword is shown in a week,</li>
            <li>how often people click at its position now,</li>
            <li>how often they click at position 3.</li>
          </ul>
          <p>How often people click at a position is learned from this property’s own figures.</p>
          <p>
            A score of 20 means about 20 more clicks a week. From 20 on the priority is High, from 10 on Medium, below that Low. At position
            3 or better there is nothing left to gain, and the score is 0.
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
