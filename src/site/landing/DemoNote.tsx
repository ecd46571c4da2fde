import { demoLogin } from '../../contract/demo.ts'
import { frame } from '../parts/frame.ts'
import { logIn } from './links.ts'

/** Only where the server is a demo. */
export function DemoNote() {
  return (
    <aside aria-label="Demo" className="border-b border-line bg-brand-soft">
      <p className={`${frame} py-2.5`}>
        <strong className="font-semibold">This is a demo with made-up sites.</strong>{' '}
        <a href={logIn} className="font-medium text-brand underline underline-offset-2">
          Log in
        </a>{' '}
        as <code>{demoLogin.username}</code> with the password <code>{demoLogin.password}</code>. Three sample sites are already connected.
      </p>
    </aside>
  )
}
