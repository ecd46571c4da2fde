import { LegalLink } from '../../shell/LegalLink.tsx'

export function LegalLine() {
  return (
    <p className="mt-5 text-center text-sm text-balance text-muted">
      By continuing, you agree to our <LegalLink path="/terms" name="Terms of Service" /> and{' '}
      <LegalLink path="/privacy" name="Privacy Policy" />.
    </p>
  )
}
