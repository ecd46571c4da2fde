import { useRef } from 'react'
import { completeWelcome, nextWelcomeStep, previousWelcomeStep, welcomeSteps } from './welcome.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { WelcomeStep } from './WelcomeStep.tsx'
import { titles } from './welcome-titles.ts'

/** What Ranklark does, in four steps. Closing counts as skipping. */
export function WelcomeDialog({ step }: { step: number }) {
  const next = useRef<HTMLButtonElement>(null)
  const isLast = step === welcomeSteps
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && completeWelcome()}
      title={titles[step - 1] ?? ''}
      initialFocus={next}
      finalFocus={() => otherDialog(next.current)}
    >
      <div className="mb-5">
        <p aria-live="polite" className="mb-2 text-sm text-muted tabular-nums">
          Step {step} of {welcomeSteps}
        </p>
        <Progress label="Progress" fraction={step / welcomeSteps} className="h-1.5" />
      </div>
      {/* The height of the longest step: the buttons stay where the pointer is. */}
      <div className="min-h-81 sm:min-h-70">
        <WelcomeStep step={step} />
      </div>
      <div className="mt-6 flex items-center justify-between gap-2">
        {step === 1 ? (
          <Button variant="quiet" onClick={completeWelcome}>
            Skip
          </Button>
        ) : (
          <Button variant="quiet" onClick={previousWelcomeStep}>
            Back
          </Button>
        )}
        <Button ref={next} variant="primary" onClick={nextWelcomeStep}>
          {isLast ? 'Get Started' : 'Next'}
        </Button>
      </div>
    </Dialog>
  )
}

/** The dialog that a link has opened on the screen below. */
const otherDialog = (inside: HTMLElement | null): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog]')].find((dialog) => !dialog.contains(inside)) ?? null
