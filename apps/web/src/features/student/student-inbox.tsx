import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Inbox } from '../../shell/inbox.tsx'
import { NoticeChoices } from '../../shell/notice-choices.tsx'

/** The student's bell: notices of own applications, and the ways in which they come. */
export function StudentInbox() {
  const { t } = useText()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <Inbox
      findLinks={({ tag, id }) => [
        { to: `/application/${tag}/${encodeURIComponent(id)}`, text: t('inbox.openApplication') },
      ]}
    >
      <div className="jw-inbox__choices">
        <Button
          variant="minimal"
          size="small"
          aria-expanded={isChoosing}
          text={t('notices.title')}
          onClick={() => setChoosing(!isChoosing)}
        />
        {isChoosing ? <NoticeChoices kinds={['flow']} /> : null}
      </div>
    </Inbox>
  )
}
