import { Link } from 'react-router'
import { isScreen } from '../../../contract/screens.ts'

export function LegalLine() {
  return (
    <p className="mt-5 text-center text-sm text-balance text-muted">
      By continuing, you agree to our <LegalText path="/terms" name="Terms of Service" /> and{' '}
      <LegalText path="/privacy" name="Privacy Policy" />.
    </p>
  )
}

function LegalText({ path, name }: { path: string; name: string }) {
  if (!isScreen(path)) return name
  return (
    <Link to={path} className="underline underline-offset-2">
      {name}
    </Link>
  )
}
