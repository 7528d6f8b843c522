import type { RouteObject } from 'react-router-dom'
import { PasswordResetPage } from '../administration/password-page.tsx'
import { StudentDocumentsPage } from './student-documents-page.tsx'
import { ReportPreviewPage } from './report-preview-page.tsx'
import { NotFoundPage } from '../../shell/not-found-page.tsx'

/** Pages that can also be opened in a drawer. */
export function drawerRoutes(onClose: () => void): RouteObject[] {
  return [
    { path: '/report/:code/preview', element: <ReportPreviewPage onClose={onClose} /> },
    { path: '/student/:stuNo/documents', element: <StudentDocumentsPage onClose={onClose} /> },
    { path: '/account/:id/password', element: <PasswordResetPage onClose={onClose} /> },
    { path: '*', element: <NotFoundPage /> },
  ]
}
