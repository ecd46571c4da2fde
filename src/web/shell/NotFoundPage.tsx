import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'

export function NotFoundPage() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <title>Page not found · Ranklark</title>
      <div className="flex max-w-md flex-col items-center text-center">
        <LogoMark className="size-10" />
        <h1 className="mt-5 text-title font-semibold">404 Page Not Found</h1>
        <p className="mt-1 text-muted">Did you forget to add the page to the router?</p>
        <Link to={paths.home} className={buttonClass('primary', 'mt-6')}>
          Back to the dashboard
        </Link>
      </div>
    </main>
  )
}
