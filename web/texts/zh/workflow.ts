// The Chinese texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "工作流“{{name}}”",
  stages: "阶段",
  more: "更多",
  your_turn: "需要您处理",
  waits_for: "等待 {{names}} 处理",
  agreed: "{{names}} 已批准",
  since: "已处于此阶段 {{age}}",
  not_yet: "尚不可用",
  not_yet_plain: "“{{label}}”尚不可用",
  not_yet_until: "满足以下条件时可执行“{{label}}”：{{condition}}",
  moved: "已移至“{{stage}}”",
  voted: "投票已记录，等待其他人",
  out_of_sight: "已完成。您已无权访问此记录。",
  leads_to: "下一阶段：{{stage}}",
  reason: "原因",
  comment: "备注",
  create: "创建新记录",
  create_named: "创建“{{name}}”",
  use_named: "使用“{{name}}”",
  same: "{{labels}}相同",
  skip: "不创建",
  merge: "填充其空字段",
  undo: "撤销“{{label}}”",
  undo_title: "撤销“{{label}}”？",
  undo_lead: "记录将返回上一阶段，此步骤更改的字段将恢复原值。由此创建且之后未更改的记录会被删除。",
  log_vote: "选择了“{{label}}”（部分批准）",
};

export const work = {
  title: "我的工作",
  lead: "需要您处理的记录，最早的在前。",
  count: "我的工作，{{count}} 项待处理",
  kinds: "记录类型",
  all: "全部",
  empty: "没有待处理事项",
  empty_lead: "需要您处理的记录会显示在此处，您也会收到通知。",
};

export const comparisons = {
  joined: { and: " 且 ", or: " 或 " },
  operators: {
    "=": "等于",
    "!=": "不等于",
    ">": "大于",
    ">=": "大于等于",
    "<": "小于",
    "<=": "小于等于",
    in: "属于",
    "not in": "不属于",
    empty: "为空",
    "not empty": "不为空",
  },
};
