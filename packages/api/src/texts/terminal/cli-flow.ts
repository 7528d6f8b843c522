import { group } from '../group.ts'

export const cliFlowTexts = group({
  'cli.todo': [
    '列出待我办理的、我发起的或我办过的流程',
    'list what waits for you, what you began, or what you decided',
  ],
  'cli.todo.mine': [
    'open 待办（默认）、started 我发起的、decided 我已办、copied 抄送我',
    'open: to decide (default), started: begun by you, decided: by you, copied: copies for you',
  ],
  'cli.todo.tag': ['只列此标识的实体', 'only of this entity'],
  'cli.todo.badMine': [
    '--mine 只能是 open、started、decided 或 copied，而不是 {value}',
    '--mine is open, started, decided or copied, not {value}',
  ],
  'cli.todo.total': ['共 {n} 条', '{n} in all'],
  'cli.flow': ['流程：查看与办理', 'flows: look and decide'],
  'cli.flow.show': [
    '显示记录所处的状态、可办的事与经过',
    'show the state of a record, what you may do, and what happened',
  ],
  'cli.flow.decide': ['办理：发起一个事件，如 APPROVE', 'decide: send an event, such as APPROVE'],
  'cli.flow.withdraw': ['撤回自己提交的记录', 'take back what you submitted'],
  'cli.flow.print': [
    '下载审批表：申请内容与各环节意见，学校签名的 PDF',
    'download the decision sheet: the record and every note, a PDF signed by the school',
  ],
  'cli.flow.printed': ['已存为 {path}', 'Saved as {path}'],
  'cli.flow.note': ['意见', 'the note'],
  'cli.flow.dryRun': [
    '只说明会到哪个状态，不办理',
    'say which state it would lead to, decide nothing',
  ],
  'cli.flow.can': ['可办理', 'You can'],
  'cli.flow.waits': ['等待', 'Waiting for'],
  'cli.flow.would': ['会到状态“{state}”', 'It would lead to “{state}”'],
  'cli.flow.done': ['已办理，现为“{state}”', 'Done: it is now “{state}”'],
  'cli.flow.col.tag': ['标识', 'Tag'],
  'cli.flow.col.id': ['编号', 'Id'],
  'cli.flow.col.title': ['记录', 'Record'],
  'cli.flow.col.state': ['状态', 'State'],
  'cli.flow.col.applicant': ['申请人', 'Applicant'],
  'cli.flow.col.since': ['自', 'Since'],
})
