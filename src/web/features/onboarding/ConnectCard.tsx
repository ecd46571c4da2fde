import { connectGoogle } from '../../lib/connect-google.ts'
import { ImportForm } from '../../shell/ImportForm.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'

/** The two ways in: Google's own data, or a file of it. */
export function ConnectCard() {
  return (
    <>
      <SectionCard
        title="Connect Google Search Console"
        description="Ranklark reads the figures of your properties, and can change nothing there. It takes one click and nothing to install."
      >
        <Button variant="primary" onClick={() => connectGoogle('/onboarding/sites')}>
          Connect Google Search Console
        </Button>
      </SectionCard>
      <SectionCard title="Or import a file" description="An export you already have makes a property of its own.">
        <ImportForm />
      </SectionCard>
    </>
  )
}
