import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { sitePages } from '../../contract/screens.ts'
import { sessionQuery } from '../api/session.ts'
import { paths } from '../paths.ts'
import { LoadingScreen } from './LoadingScreen.tsx'

/** The target of links to `/` within the app: the dashboard, and for visitors the landing page, which isn't part of the app. */
export function HomePage() {
  const { data: session } = useQuery(sessionQuery)
  const isVisitor = session?.authenticated === false
  useEffect(() => {
    if (isVisitor) window.location.replace(sitePages.landing)
  }, [isVisitor])
  return session?.authenticated ? <Navigate to={paths.dashboard} replace /> : <LoadingScreen />
}
