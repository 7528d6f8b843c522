import type { RouteObject } from 'react-router-dom'
import { ResetFactorsPage } from '../administration/reset-factors-page.tsx'
import { EndSessionsPage } from '../administration/end-sessions-page.tsx'
import { HandOverPage } from '../administration/hand-over-page.tsx'
import { PasswordResetPage } from '../administration/password-page.tsx'
import { RegistrationPage } from '../administration/registration-page.tsx'
import { StudentDocumentsPage } from './student-documents-page.tsx'
import { ReportPreviewPage } from './report-preview-page.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'

/** Pages that can also be opened in a drawer. */
export function drawerRoutes(
  onClose: () => void,
  onTitle: (record: string) => void,
): RouteObject[] {
  return [
    { path: '/report/:code/preview', element: <ReportPreviewPage onClose={onClose} /> },
    {
      path: '/student/:stuNo/documents',
      element: <StudentDocumentsPage onClose={onClose} onTitle={onTitle} />,
    },
    { path: '/account/:id/password', element: <PasswordResetPage onClose={onClose} /> },
    { path: '/account/:id/factors', element: <ResetFactorsPage onClose={onClose} /> },
    { path: '/account/:id/sessions', element: <EndSessionsPage onClose={onClose} /> },
    { path: '/account/:id/hand-over', element: <HandOverPage onClose={onClose} /> },
    { path: '/registration/:id', element: <RegistrationPage onClose={onClose} /> },
    { path: '*', element: <NotFoundPage /> },
  ]
}
