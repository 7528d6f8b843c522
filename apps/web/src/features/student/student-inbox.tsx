import '../../styles/features/inbox.css'
import { DialogBody } from '@blueprintjs/core'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Bell, MessageList, useMessages } from '../../shell/messages.tsx'
import { NoticeChoices } from '../../shell/notice-choices.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

/** The student's bell: notices of own applications, and the ways in which they come. */
export function StudentInbox() {
  const { t } = useText()
  const messages = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Bell
        unread={messages.unread}
        onClick={() => {
          messages.reload()
          setOpen(true)
        }}
      />
      <Dialog
        isOpen={isOpen}
        title={t('inbox.title')}
        onClose={() => setOpen(false)}
        className="jw-calm"
      >
        <DialogBody>
          <MessageList
            isTitled={false}
            messages={messages}
            findLinks={({ tag, id }) => [
              {
                to: `/application/${tag}/${encodeURIComponent(id)}`,
                text: t('inbox.openApplication'),
              },
            ]}
          >
            <div className="jw-inbox__choices">
              <NoticeChoices kinds={['flow']} />
            </div>
          </MessageList>
        </DialogBody>
      </Dialog>
    </>
  )
}
