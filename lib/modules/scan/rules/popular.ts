/** Names of packages that many people install, which is why names beside them are taken by others. Facts of 2026. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const POPULAR: Readonly<Record<"npm" | "pypi", ReadonlySet<string>>> = {
  npm: words(`
  @a-bonus/google-docs-mcp @aashari/mcp-server-atlassian-jira @ai-sdk/mcp @amap/amap-maps-mcp-server
  @anthropic-ai/mcpb @antv/mcp-server-chart @apify/actors-mcp-server @atlassian-dc-mcp/jira @azure-devops/mcp
  @azure/mcp @babel/code-frame @babel/compat-data @babel/core @babel/generator @babel/helper-compilation-targets
  @babel/helper-module-imports @babel/helper-module-transforms @babel/helper-plugin-utils
  @babel/helper-string-parser @babel/helper-validator-identifier @babel/helper-validator-option @babel/helpers
  @babel/parser @babel/runtime @babel/template @babel/traverse @babel/types @benborla29/mcp-server-mysql
  @brave/brave-search-mcp-server @brightdata/mcp @browsermcp/mcp @circleci/mcp-server-circleci @claude-flow/mcp
  @clerk/mcp-tools @cocal/google-calendar-mcp @composio/mcp @currents/mcp @cyanheads/git-mcp-server @drawio/mcp
  @dynatrace-oss/dynatrace-mcp-server @elementor/editor-mcp @eslint/mcp @executeautomation/playwright-mcp-server
  @forestadmin/mcp-server @gleanwork/mcp-config-schema @gongrzhe/server-gmail-autoauth-mcp
  @google-cloud/cloud-run-mcp @google-cloud/gcloud-mcp @google-cloud/observability-mcp @heroku/mcp-server
  @hono/mcp @hubspot/mcp-server @instantdb/mcp @ivotoby/openapi-mcp-server @jest/types @jridgewell/gen-mapping
  @jridgewell/sourcemap-codec @jridgewell/trace-mapping @kimuson/modular-mcp @langchain/mcp-adapters
  @larksuiteoapi/lark-mcp @launchdarkly/mcp-server @mapbox/mcp-server @mastra/mcp @mastra/mcp-docs-server
  @mcp-ui/client @mcp-ui/server @mcp-use/cli @mcp-use/inspector @mcp-use/modelcontextprotocol-sdk @mintlify/mcp
  @mizchi/lsmcp @mobilenext/mobile-mcp @modelcontextprotocol/ext-apps @modelcontextprotocol/inspector
  @modelcontextprotocol/inspector-cli @modelcontextprotocol/inspector-client
  @modelcontextprotocol/inspector-server @modelcontextprotocol/sdk @modelcontextprotocol/server-brave-search
  @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem
  @modelcontextprotocol/server-gdrive @modelcontextprotocol/server-github @modelcontextprotocol/server-gitlab
  @modelcontextprotocol/server-google-maps @modelcontextprotocol/server-memory
  @modelcontextprotocol/server-postgres @modelcontextprotocol/server-puppeteer
  @modelcontextprotocol/server-sequential-thinking @modelcontextprotocol/server-slack
  @mondaydotcomorg/atp-mcp-adapter @mondaydotcomorg/monday-api-mcp @morphllm/morphmcp @notionhq/notion-mcp-server
  @nuxtjs/mcp-toolkit @openbnb/mcp-server-airbnb @orval/mcp @pandacss/mcp @perplexity-ai/mcp-server
  @pinecone-database/mcp @piotr-agier/google-drive-mcp @playwright/mcp @railway/mcp-server @react-grab/mcp
  @redocly/mcp-typescript-sdk @rekog/mcp-nest @remotion/mcp @rollup/rollup-linux-x64-musl @salesforce/mcp
  @sentry/mcp-server @shopify/dev-mcp @shortcut/mcp @smithy/util-utf8 @socotra/modelcontextprotocol-sdk
  @softeria/ms-365-mcp-server @storybook/addon-mcp @storybook/mcp @stripe/mcp @supabase/mcp-server-supabase
  @supabase/mcp-utils @sveltejs/mcp @testsprite/testsprite-mcp @types/estree @types/node
  @typescript-eslint/scope-manager @typescript-eslint/types @typescript-eslint/typescript-estree
  @typescript-eslint/visitor-keys @upstash/context7-mcp @vercel/mcp-adapter @winor30/mcp-server-datadog
  @wong2/mcp-cli @z_ai/mcp-server @zereight/mcp-gitlab @zuplo/mcp acorn agent-base agentation-mcp ansi-regex
  ansi-styles argocd-mcp argparse backlog-mcp-server balanced-match brace-expansion braces browserslist buffer
  bytes call-bind-apply-helpers camelcase caniuse-lite chalk chokidar chrome-devtools-mcp cliui color-convert
  color-name commander concat-map convert-source-map cookie cross-spawn debug electron-to-chromium emoji-regex
  entities es-define-property es-errors es-object-atoms esbuild escalade escape-string-regexp eslint-scope
  eslint-visitor-keys estraverse exa-mcp-server execa expo-mcp fast-deep-equal fastmcp figma-developer-mcp
  fill-range find-up firecrawl-fastmcp firecrawl-mcp form-data fs-extra function-bind get-intrinsic get-stream
  glob-parent globals graceful-fs has-flag has-symbols hasown hono-mcp-server-sse-transport http-errors
  https-proxy-agent human-signals iconv-lite ignore inherits is-fullwidth-code-point is-glob is-number is-stream
  isarray isexe js-tokens js-yaml jsesc json-schema-traverse json5 kind-of kubernetes-mcp-server locate-path
  lodash lru-cache make-dir mcp mcp-client-capabilities mcp-evals mcp-framework mcp-handler mcp-http-server
  mcp-lite mcp-mermaid mcp-proxy mcp-remote mcp-server-code-runner mcp-server-kubernetes mcp-use mcporter
  micromatch middy-mcp mime-db mime-types mimic-fn minimatch minimist minipass mkdirp mongodb-mcp-server n8n-mcp
  n8n-nodes-mcp nanoid negotiator next-devtools-mcp node-fetch npm-run-path nx-mcp onetime openapi-mcp-generator
  p-limit p-locate path-exists path-key path-to-regexp picocolors picomatch playwright-mcp postcss pretty-format
  punycode react-is readable-stream readdirp resolve resolve-from rimraf safe-buffer semver shebang-command
  shebang-regex signal-exit slack-mcp-server slash source-map statuses string-width string_decoder strip-ansi
  strip-bom strip-json-comments supports-color tavily-mcp telecom-mas-agent tmcp to-regex-range tslib type-fest
  typescript undici-types universalify use-mcp webidl-conversions whatwg-url which workers-mcp wrap-ansi
  xcodebuildmcp xmcp yallist yargs yargs-parser
  `),
  pypi: words(`
  aiobotocore aiohappyeyeballs aiohttp aiosignal annotated-doc annotated-types anyio arcade-mcp-server
  arxiv-mcp-server astro-airflow-mcp attrs awscli awslabs-aws-api-mcp-server awslabs-aws-documentation-mcp-server
  awslabs-aws-iac-mcp-server awslabs-aws-location-mcp-server awslabs-aws-pricing-mcp-server
  awslabs-bedrock-kb-retrieval-mcp-server awslabs-billing-cost-management-mcp-server awslabs-cloudwatch-mcp-server
  awslabs-eks-mcp-server awslabs-memcached-mcp-server awslabs.aws-documentation-mcp-server awslabs.core-mcp-server
  basic-memory beautifulsoup4 blender-mcp boto3 botocore browser-use cachetools certifi charset-normalizer
  chroma-mcp cli-mcp-server click colorama coverage cryptography databricks-mcp dbt-mcp dcc-mcp-core decorator
  distlib distro django-mcp-server dnspython docutils duckduckgo-mcp duckduckgo-mcp-server editables et-xmlfile
  excel-mcp-server exceptiongroup fast-agent-mcp fastapi fastapi-mcp fastmcp fastmcp-slim filelock frozenlist
  fsspec gitpython google-api-core google-auth google-cloud-storage google-genai googleapis-common-protos greenlet
  grpcio grpcio-status grpcio-tools ha-mcp ha-mcp-dev hatchling httpcore httpx huggingface-hub importlib-metadata
  iniconfig jcodemunch-mcp jinja2 jiter jmespath jsonschema jsonschema-specifications langchain
  langchain-mcp-adapters lean-lsp-mcp litellm markdown-it-py markitdown-mcp markupsafe mcp mcp-atlassian
  mcp-clickhouse mcp-grafana mcp-neo4j-cypher mcp-proxy mcp-proxy-for-aws mcp-run-python mcp-server-duckdb
  mcp-server-fetch mcp-server-git mcp-server-qdrant mcp-server-sqlite mcp-server-time mcp-use mcpadapt
  mcpforunityserver mcpo mdurl minimax-coding-plan-mcp more-itertools msgpack multidict mypy-extensions networkx
  notebooklm-mcp-cli numpy nvidia-nat-mcp oauthlib office-powerpoint-mcp-server office-word-mcp-server openai
  openpyxl opensearch-mcp-server-py opentelemetry-api opentelemetry-exporter-otlp-proto-common
  opentelemetry-exporter-otlp-proto-grpc opentelemetry-exporter-otlp-proto-http opentelemetry-instrumentation-mcp
  opentelemetry-proto opentelemetry-sdk opentelemetry-semantic-conventions packaging pandas pathspec pdf-tools-mcp
  pillow platformdirs pluggy postgres-mcp propcache proto-plus protobuf psutil psycopg2-binary ptyprocess pyarrow
  pyasn1 pyasn1-modules pycparser pydantic pydantic-ai-slim pydantic-core pydantic-settings pygments pyjwt
  pyopenssl pyparsing pytest python-dateutil python-discovery python-dotenv python-multipart pyyaml redis
  referencing regex requests requests-oauthlib requests-toolbelt rpds-py s3transfer scipy serena-agent setuptools
  sglang shellingham smmap sniffio snowflake-labs-mcp soupsieve sqlalchemy sse-starlette starlette tenacity
  textual tomli tomlkit trove-classifiers typer typing-extensions typing-inspection tzdata urllib3 uvicorn
  virtualenv watchfiles wcwidth websocket-client websockets werkzeug wheel windows-mcp wireshark-mcp word-mcp-live
  workspace-mcp wrapt yfmcp
  `),
};
