import { sitePages } from '../../../contract/screens.ts'
import { LegalLink } from '../../shell/LegalLink.tsx'

export function LegalLine() {
  return (
    <p className="mt-5 text-center text-sm text-balance text-muted">
      By continuing, you agree to our <LegalLink path={sitePages.terms} name="Terms of Service" /> and{' '}
      <LegalLink path={sitePages.privacy} name="Privacy Policy" />.
    </p>
  )
}
