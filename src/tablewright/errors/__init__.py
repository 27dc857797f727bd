"""Every error that Tablewright raises on purpose.

    TablewrightError
    ├── CallerError             the caller can fix it
    │   ├── InvalidInput        invalid_input
    │   │   ├── AgentTypeMissing      agent_type_missing
    │   │   ├── AgentTypeUnknown      agent_type_unknown
    │   │   ├── ImageUnread           chat_image_unread
    │   │   │   ├── ImageInvalid      chat_image_none
    │   │   │   └── ImageRemote       chat_image_address
    │   │   ├── QuestionMissing       question_missing
    │   │   ├── FileUnreadable        file_unreadable
    │   │   │   ├── FileEmpty         file_empty
    │   │   │   ├── FileEncrypted     file_encrypted
    │   │   │   ├── FormatUnsupported format_unsupported
    │   │   │   └── WorkbookSlow      workbook_slow
    │   │   ├── FileTooLarge          file_too_large
    │   │   ├── DownloadRefused       download_refused
    │   │   ├── OutputRefused         output_refused
    │   │   ├── ConnectionInvalid     connection_invalid
    │   │   ├── PlanInvalid           plan_invalid
    │   │   ├── PlanFileInvalid       plan_file_invalid
    │   │   └── WorkbookDiffers       workbook_differs
    │   ├── DownloadFailed      download_failed
    │   ├── DatabaseFailed      database_failed
    │   │   ├── DatabaseAway          database_away
    │   │   ├── DatabaseSlow          database_slow
    │   │   ├── DatabaseDenied        database_denied
    │   │   ├── StatementRefused      statement_refused
    │   │   ├── StatementWrong        statement_wrong
    │   │   ├── TableUnknown          database_table_unknown
    │   │   ├── ColumnUnknown         database_column_unknown
    │   │   └── DatabaseUnknown       database_unknown
    │   ├── NotFound            not_found
    │   │   ├── PlaceNotFound         place_not_found
    │   │   ├── ShareUnknown          share_unknown
    │   │   └── FileNotNamed          file_not_named
    │   ├── SearchFailed        search_failed
    │   ├── ExpressionInvalid   expression_invalid
    │   ├── WorkflowInvalid     workflow_invalid
    │   ├── WorkflowUnknown     workflow_unknown
    │   ├── WorkflowAbsent      workflow_absent
    │   ├── ConversationUnusable  conversation_unusable
    │   ├── InputMissing        workflow_input_missing
    │   ├── Conflict            conflict
    │   │   ├── RunInProgress         run_in_progress
    │   │   ├── RequestIdTaken        request_id_taken
    │   │   ├── AlreadyAnswered       already_answered
    │   │   └── WorkbookChanged       workbook_changed
    │   ├── Unauthorized        unauthorized
    │   ├── Forbidden           forbidden
    │   └── Busy                busy
    ├── OperatorError           the operator of the service can fix it
    │   ├── SettingsInvalid     settings_invalid
    │   ├── SecretsUnreadable   secrets_unreadable
    │   ├── KeyRequired         key_required
    │   └── PortInUse           port_in_use
    ├── ModelError              a language model or its endpoint failed
    │   ├── ModelUnknown        model_unknown
    │   ├── ModelNotSetUp       model_not_set_up
    │   ├── ModelUnreachable    model_unreachable                        retried
    │   ├── ModelRejected       model_rejected
    │   │   └── ModelSchemaRefused    asked again without the schema
    │   ├── ModelCannotWrite    model_cannot_write
    │   ├── ModelSilent         model_silent
    │   ├── ModelOverloaded     model_overloaded                         retried
    │   ├── ModelTimeout        model_timeout                            retried
    │   ├── ModelStreamCut      model_stream_cut                         retried before the first part
    │   ├── PlanUnreadable      plan_unreadable
    │   ├── AnswerUnreadable    answer_unreadable
    │   └── TokenLimitExceeded  token_limit_exceeded
    ├── MachineError            this machine or what it runs failed
    │   ├── SandboxUnavailable  sandbox_unavailable
    │   ├── SandboxLost         sandbox_lost
    │   ├── ReadersUnavailable  readers_unavailable
    │   ├── PdfUnavailable      pdf_unavailable
    │   ├── PdfFailed           pdf_failed
    │   ├── StorageFull         storage_full
    │   ├── StorageUnwritable   storage_unwritable
    │   ├── StoreUnavailable    store_unavailable
    │   │   ├── StoreDamaged          store_damaged
    │   │   ├── StoreMissing          store_missing
    │   │   └── VersionDamaged        version_damaged
    │   └── OwnerLost           owner_lost         the process executing the run died
    ├── RunError                a run ended without completing its answer
    │   ├── RunLimit            run_limit
    │   ├── StepsFailed         steps_failed
    │   ├── SuppliedCodeFailed  supplied_code_failed
    │   ├── ExpressionFailed    expression_failed
    │   ├── NodeFailed          node_failed
    │   ├── WorkflowSilent      workflow_silent
    │   └── StepExhausted       step_exhausted
    └── InternalError           a mistake in Tablewright, which nobody else can fix

An error carries a stable `code` and `params`, and no prose of ours: the text that a person reads, with the remedy,
comes from the message catalogue at the edge (`tablewright.texts`), in their language. Where an error has several
reasons, its `detail` is the code of one in the same catalogue. What others said (the operating system, a database, a
provider, the code of a step) is the param `words`, shown as it is. `str(error)` is for logs.
"""

from __future__ import annotations

from tablewright.errors.base import (
    CallerError,
    InternalError,
    MachineError,
    ModelError,
    OperatorError,
    Parameter,
    RunError,
    TablewrightError,
)
from tablewright.errors.caller import (
    AgentTypeMissing,
    AgentTypeUnknown,
    AlreadyAnswered,
    Busy,
    Conflict,
    DownloadFailed,
    DownloadRefused,
    FileEmpty,
    FileEncrypted,
    FileNotNamed,
    FileTooLarge,
    FileUnreadable,
    Forbidden,
    FormatUnsupported,
    ImageInvalid,
    ImageRemote,
    ImageUnread,
    InvalidInput,
    NotFound,
    OutputRefused,
    PlaceNotFound,
    PlanFileInvalid,
    PlanInvalid,
    QuestionMissing,
    RequestIdTaken,
    RunInProgress,
    SearchFailed,
    ShareUnknown,
    Unauthorized,
    WorkbookChanged,
    WorkbookDiffers,
    WorkbookSlow,
)
from tablewright.errors.databases import (
    ColumnUnknown,
    ConnectionInvalid,
    DatabaseAway,
    DatabaseDenied,
    DatabaseFailed,
    DatabaseSlow,
    DatabaseUnknown,
    StatementRefused,
    StatementWrong,
    TableUnknown,
)
from tablewright.errors.machine import (
    OwnerLost,
    PdfFailed,
    PdfUnavailable,
    ReadersUnavailable,
    SandboxLost,
    SandboxUnavailable,
    StorageFull,
    StorageUnwritable,
    StoreDamaged,
    StoreMissing,
    StoreUnavailable,
    VersionDamaged,
)
from tablewright.errors.model import (
    AnswerUnreadable,
    ModelCannotWrite,
    ModelNotSetUp,
    ModelOverloaded,
    ModelRejected,
    ModelSchemaRefused,
    ModelSilent,
    ModelStreamCut,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
    PlanUnreadable,
    TokenLimitExceeded,
)
from tablewright.errors.operator import (
    KeyRequired,
    PortInUse,
    SecretsUnreadable,
    SettingsInvalid,
)
from tablewright.errors.runs import (
    RunLimit,
    StepExhausted,
    StepsFailed,
    SuppliedCodeFailed,
)
from tablewright.errors.workflows import (
    ConversationUnusable,
    ExpressionFailed,
    ExpressionInvalid,
    InputMissing,
    NodeFailed,
    WorkflowAbsent,
    WorkflowInvalid,
    WorkflowSilent,
    WorkflowUnknown,
)

__all__ = [
    "AgentTypeMissing",
    "AgentTypeUnknown",
    "AlreadyAnswered",
    "AnswerUnreadable",
    "Busy",
    "CallerError",
    "ColumnUnknown",
    "Conflict",
    "ConnectionInvalid",
    "ConversationUnusable",
    "DatabaseAway",
    "DatabaseDenied",
    "DatabaseFailed",
    "DatabaseSlow",
    "DatabaseUnknown",
    "DownloadFailed",
    "DownloadRefused",
    "ExpressionFailed",
    "ExpressionInvalid",
    "FileEmpty",
    "FileEncrypted",
    "FileNotNamed",
    "FileTooLarge",
    "FileUnreadable",
    "Forbidden",
    "FormatUnsupported",
    "ImageInvalid",
    "ImageRemote",
    "ImageUnread",
    "InputMissing",
    "InternalError",
    "InvalidInput",
    "KeyRequired",
    "MachineError",
    "ModelCannotWrite",
    "ModelError",
    "ModelNotSetUp",
    "ModelOverloaded",
    "ModelRejected",
    "ModelSchemaRefused",
    "ModelSilent",
    "ModelStreamCut",
    "ModelTimeout",
    "ModelUnknown",
    "ModelUnreachable",
    "NodeFailed",
    "NotFound",
    "OperatorError",
    "OutputRefused",
    "OwnerLost",
    "Parameter",
    "PdfFailed",
    "PdfUnavailable",
    "PlaceNotFound",
    "PlanFileInvalid",
    "PlanInvalid",
    "PlanUnreadable",
    "PortInUse",
    "QuestionMissing",
    "ReadersUnavailable",
    "RequestIdTaken",
    "RunError",
    "RunInProgress",
    "RunLimit",
    "SandboxLost",
    "SandboxUnavailable",
    "SearchFailed",
    "SecretsUnreadable",
    "SettingsInvalid",
    "ShareUnknown",
    "StatementRefused",
    "StatementWrong",
    "StepExhausted",
    "StepsFailed",
    "StorageFull",
    "StorageUnwritable",
    "StoreDamaged",
    "StoreMissing",
    "StoreUnavailable",
    "SuppliedCodeFailed",
    "TableUnknown",
    "TablewrightError",
    "TokenLimitExceeded",
    "Unauthorized",
    "VersionDamaged",
    "WorkbookChanged",
    "WorkbookDiffers",
    "WorkbookSlow",
    "WorkflowAbsent",
    "WorkflowInvalid",
    "WorkflowSilent",
    "WorkflowUnknown",
]
