import { connectGoogle } from '../../lib/connect-google.ts'
import { ImportForm } from '../../shell/import/ImportForm.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'

/** The two ways in: Google's own data, or a file of it. */
export function ConnectCard() {
  return (
    <>
      <SectionCard
        title="Connect Google Search Console"
        description="Ranklark can read your properties' data but can't change anything. One click, nothing to install."
      >
        <Button variant="primary" onClick={() => connectGoogle('/onboarding/sites')}>
          Connect Google Search Console
        </Button>
      </SectionCard>
      <SectionCard title="Or import a file" description="Create a property from a Search Console export.">
        <ImportForm />
      </SectionCard>
    </>
  )
}
