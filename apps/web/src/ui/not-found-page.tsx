import { Button } from '@blueprintjs/core'
import { useNavigate } from 'react-router-dom'
import { useText } from '../app/text-context.ts'
import { Empty } from './resource/page-state.tsx'

/** /404, loaded lazily (docs/spec/2-student-service-and-designer.md §2). */
export function NotFoundPage() {
  const { t } = useText()
  const navigate = useNavigate()
  return (
    <Empty
      title={t('shell.notFound')}
      action={
        <Button
          intent="primary"
          text={t('shell.backHome')}
          onClick={() => {
            void navigate('/')
          }}
        />
      }
    />
  )
}
