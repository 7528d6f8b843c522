import type { MachineWords } from './machine-words.ts'

export const notices = {
  name: ['学生页的通知', 'Notices for students'],
  place: ['打开学生服务页，看“通知”', 'Open the page for students and look at the notices'],
  states: {
    loading: ['正在读取通知', 'the notices are loaded'],
    failed: ['通知读取失败', 'the notices could not be loaded'],
    list: ['通知已列出', 'the notices are listed'],
    open: ['一条通知已打开', 'a notice is open'],
  },
  events: {
    'notice.open': ['点一条通知', 'Press a notice'],
    'notice.open(a)': ['点第一条通知', 'Press the first notice'],
    'notice.open(b)': ['点第二条通知', 'Press the second notice'],
    'notice.close': ['关闭通知（右上角“×”）', 'Close the notice (× at the top right)'],
    'notices.retry': ['按“{common.retry}”', 'Press “{common.retry}”'],
  },
  calls: { notices: ['读取通知', 'loading the notices'] },
  endings: {
    'notices.two': ['成功，两条', 'it succeeds: two notices'],
    'notices.none': ['成功，没有通知', 'it succeeds: no notice'],
  },
} as const satisfies MachineWords
