import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Card } from '../ui/Card.tsx'
import { Logo } from '../ui/Logo.tsx'

type CardPageProps = {
  /** The title of the browser tab. */
  title: string
  /** Above the card; by default the product's name, linking to the login. */
  above?: ReactNode
  below?: ReactNode
  children: ReactNode
}

/** A centered card, for pages open to visitors. */
export function CardPage({ title, above, below, children }: CardPageProps) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-8">
      <title>{`${title} · Ranklark`}</title>
      <div className="mb-6 flex flex-col items-center gap-2 text-center">{above ?? <LogoLink />}</div>
      <Card>{children}</Card>
      {below}
    </main>
  )
}

function LogoLink() {
  return (
    <Link to={paths.login} aria-label="Ranklark, log in" className="inline-flex min-h-10 items-center rounded-control px-2">
      <Logo />
    </Link>
  )
}
