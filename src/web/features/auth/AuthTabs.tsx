import { useLocation, useSearchParams } from 'react-router'
import { connectGoogle } from '../../lib/connect-google.ts'
import { Button } from '../../ui/Button.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'

type AuthTabsProps = {
  demo: boolean
  /** The password was right, and the account asks for a code as well. */
  onCodeAsked: () => void
  /** Called before the screens learn who is signed in. */
  onRegistered: () => void
}

/** The open tab is in the address, so that a link can lead to either. */
export function AuthTabs({ demo, onCodeAsked, onRegistered }: AuthTabsProps) {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const open = params.get('tab') === 'register' ? 'register' : 'login'

  function show(tab: string) {
    setParams(
      (before) => {
        if (tab === 'login') before.delete('tab')
        else before.set('tab', tab)
        return before
      },
      { replace: true, state },
    )
  }

  const tabs = [
    { value: 'login', label: 'Login', content: <LoginForm demo={demo} onCodeAsked={onCodeAsked} /> },
    { value: 'register', label: 'Register', content: <RegisterForm onRegistered={onRegistered} /> },
  ]
  return (
    <>
      <Tabs label="Log in or register" tabs={tabs} value={open} onChange={show} />
      <div className="my-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      <Button className="w-full" onClick={() => connectGoogle()}>
        Connect with Google Search Console
      </Button>
    </>
  )
}
