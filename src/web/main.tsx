import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from './api/query-client.ts'
import { sessionQuery } from './api/session.ts'
import { createRouter, routes } from './routes.tsx'
import { Proofs } from './shell/Proofs.tsx'
import { PurchaseOfUser } from './shell/purchase/PurchaseOfUser.tsx'
import { followTheme } from './shell/theme.ts'
import './styles/app.css'
import { Toaster } from './ui/overlay/Toaster.tsx'

const client = createQueryClient()
// Requested while the screen's code is still loading.
void client.prefetchQuery(sessionQuery)
followTheme()
const router = createRouter()
void import('./prefetch.ts').then(
  ({ prefetchScreens }) => prefetchScreens(routes, router, client),
  // Without it, screens load when they are opened.
  () => undefined,
)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      {/* The content security policy would block the style elements; app.css says the same. */}
      <CSPProvider disableStyleElements>
        <PurchaseOfUser>
          <RouterProvider router={router} />
          <Proofs />
        </PurchaseOfUser>
        <Toaster />
      </CSPProvider>
    </QueryClientProvider>
  </StrictMode>,
)
