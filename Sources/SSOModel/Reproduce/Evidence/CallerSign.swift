import SSODevice
import SSOLab

/// A word by which a text shows the software, the kind of program, or the grant.
struct CallerSign {
  var words: [String]
  var software: String?
  var kind: Program.Kind?
  var grant: CallProgram.Grant?
  /// The platform of the app that the text shows in place of a program.
  var platform: Platform?
  /// The software that another word may show although it is this one, because both have the same classes.
  var replaced: String?

  init(
    _ words: [String], _ software: String? = nil, _ kind: Program.Kind? = nil,
    _ grant: CallProgram.Grant? = nil, of platform: Platform? = nil, replacing replaced: String? = nil
  ) {
    (self.words, self.software, self.kind, self.grant) = (words, software, kind, grant)
    (self.platform, self.replaced) = (platform, replaced)
  }
}

extension CallerSign {
  /// The signs in lowercase; of two in one text, the first counts.
  static let all: [CallerSign] = [
    CallerSign(
      [
        "com.microsoft.identity.client", "com.microsoft.identity.common", "com.microsoft.identity.internal",
        "msal for android", "msal.android", "android version:", "e/androidruntime", "androidx.",
        "browsertabactivity", "broker_redirect_uri_registered", "\"account_mode\"",
      ], of: .android),
    CallerSign(
      [
        "msalerrordomain", "-[msal", "msaloautherror", "msalinternalerror", "msiderrordomain",
        "adauthenticationerrordomain", "adbrokerresponseerrordomain",
      ],
      of: .iOS),
    CallerSign(
      [
        "clientcredential", "client_credentials", "acquiretokenforclient", "acquire_token_for_client",
        "clientsecretcredential", "clientcertificatecredential", "certificatecredential",
        "environmentcredential authentication failed", "applicationtokencredentials", "service-to-service",
        "workloadidentitycredential", "azurepipelinescredential", "client credential", "--service-principal",
        "service principal", "--certfile", "-certificatethumbprint", "-certificatepath", "--login spn",
        "-l spn", "activedirectoryserviceprincipal",
      ], nil, .daemon, .clientCredentials),
    CallerSign(
      [
        "managedidentitycredential", "managed identity", "required query variable 'resource'",
        "managedidentityexception", "169.254.169.254",
        "server: imds",
      ], "a managed identity",
      .daemon,
      .managedIdentity),
    CallerSign(
      [
        "onbehalfof", "on_behalf_of", "on-behalf-of", "userassertion", "user_assertion",
        "grant-type:jwt-bearer",
        "parameter: 'assertion'",
      ], nil, .webServer, .onBehalfOf),
    CallerSign(
      ["devicecode", "device_code", "device code", "device_flow", "devicelogin"], nil, .publicProgram,
      .deviceCode),
    CallerSign(
      [
        "usernamepassword", "username_password", "grant_type=password", "ropc", "resource owner password",
        "fromusercredentials", "enter password:", "integratedwindowsauth", "username-password",
        // The sign-in page has no number for it.
        "error validating credentials due to invalid username or password",
        "error validating credentials. aadsts50126", "resource_owner",
        "activedirectorypassword", "with_username_password", "-credential $",
      ],
      nil,
      .publicProgram, .password),
    CallerSign(
      ["exchange code", "exchange the code", "code for access token", "code for a token"], nil, .webServer,
      .authorizationCode),
    // The classes of MSAL4J and MSAL.NET that make a silent call, as their stacks name them.
    CallerSign(
      [
        "grant_type=refresh_token", "acquire_token_by_refresh_token", "acquiretokenbyrefreshtoken",
        "acquiretokensilentsupplier", "requests.silent.", "failed_to_acquire_token_silently",
        "get_token_from_cache_with_refresh",
        "refresh_token()",
      ], nil, nil, .refreshToken),
    CallerSign(
      ["activedirectoryinteractive", "requests.interactiverequest", "waiting for authentication in browser"],
      nil, .publicProgram, .authorizationCode),
    CallerSign(
      ["authorizationcode", "authorization_code", "parameter: 'code'", "'code' parameter"], nil, nil,
      .authorizationCode),
    CallerSign(["confidentialclientapplication", "confidentialauthcoderequest"], nil, .webServer),
    CallerSign(["uncaught (in promise)"], nil, .page),
    CallerSign(["msal.js.node", "msal-node"], "MSAL Node", .webServer, replacing: "MSAL.js"),
    CallerSign(["x-client-sku=id_"], "ASP.NET Core", .webServer),
    CallerSign(
      [
        "msal.js", "msal-browser", "msal-react", "msal-angular", "msal-common", "browserautherror",
        "interactionrequiredautherror", "clientautherror", "cors policy", "msauth.net",
        "adal-angular",
        "adal.js", "adal.min.js", "acquiretokenpopup", "acquiretokenredirect", "loginpopup", "loginredirect",
        "ssosilent",
        "x-client-sku=msal.js",
      ], "MSAL.js", .page),
    // MSAL.js in a page, whose .NET classes have the names of ASP.NET Core.
    CallerSign(
      [
        "components.webassembly", "blazor.webassembly", "webassembly.authentication",
        "authentication.webassembly", "authenticationservice.js", "addmsalauthentication",
        "remoteauthenticator", "blazor webassembly", "blazor wasm", "blazorwasm",
      ],
      "Blazor WebAssembly", .page, .authorizationCode, replacing: "ASP.NET Core"),
    CallerSign(
      [
        "microsoft.identity.web", "idw10", "ms-id-web", "microsoft.aspnetcore.", "openidconnectprotocol",
        "microsoft.owin",
      ],
      "ASP.NET Core", .webServer),
    CallerSign(
      [" wpf", "uwp-", "uwp app", "winforms", "winui"], "a desktop program in .NET", .publicProgram),
    CallerSign(["adal4j"], "ADAL4J"),
    CallerSign(["springframework", "spring-boot", "spring.boot"], "Spring", .webServer),
    CallerSign(["rclone"], "rclone", .publicProgram),
    CallerSign(
      ["mcp server", "mcp client", "mcp-remote", "mcp inspector", "fastmcp", "modelcontextprotocol"],
      "an MCP client"),
    CallerSign(
      [
        "passport-azure-ad", "next-auth", "nextauth", "omniauth", "oauth2-proxy", "oauth2_proxy",
        "keycloak", "league\\oauth2", "league/oauth2", "identityproviderexception", "laravel", "django",
        "flask",
        "oauth2: cannot fetch token", "oauth2: \"", "argocd", "argo cd", "grafana", "dexidp",
        "passport-oauth2", "oauth2strategy", "openid-client", "authlib", "fastapi", "nuxt", "guzzlehttp",
        "php fatal", "passport strategy", "dotnetnuke", "streamlit", "shinyapp", "shiny app", "shiny.port",
        "library(shiny)", "shiny server", "spinnaker", "moodle", "gitlab", "jenkins", "nextcloud",
      ],
      "a web framework", .webServer),
    CallerSign(["msal4j", "com.azure.identity"], "MSAL4J"),
    CallerSign(
      ["azure.identity", "azure-identity", "@azure/identity", "azidentity", "defaultazurecredential"],
      "Azure Identity"),
    CallerSign(
      [
        "azure-cli", "azure cli", "azure/cli/", "azure\\cli\\", "az login", "azurecli", "az account ",
        "az keyvault ", "az ad ",
        "az group ",
        "az aks ", "az acr ", "az rest ", "az storage ", "az deployment ", "az vm ", "`az ", "knack",
        "azure.cli",
        "get token request returned http error",
      ], "Azure CLI", .publicProgram),
    CallerSign(["postman"], "Postman", .webServer),
    CallerSign(
      ["pac env", "pac auth", "powerplatform cli", "powerplatform.cli"], "Power Platform CLI", .publicProgram),
    CallerSign(["azd auth", "azd up", "azd deploy"], "Azure Developer CLI", .publicProgram),
    CallerSign(["kubelogin"], "kubelogin", .publicProgram),
    CallerSign(["vs code version", "visual studio code"], "Visual Studio Code", .publicProgram),
    CallerSign(["v2error: ", "response_status.status_"], "a program with Windows's broker", .publicProgram),
    CallerSign(
      [
        "connect-az", "connect-mg", "connect-graph", "microsoft.graph.powershell", "write-error",
        "powershell", "invoke-restmethod", "invoke-webrequest", "convertto-securestring", "get-msaltoken",
        "microsoft.azure.commands", "azurermaccount", "fullyqualifiederrorid", "+ categoryinfo",
        "connect-msgraph", "connect-pnp", "connect-azuread", "connect-exchange", "connect-msol",
      ],
      "PowerShell", .publicProgram),
    CallerSign(["terraform", "azurerm", "azuread_", "autorest"], "Terraform", .publicProgram),
    CallerSign(
      [
        "msal.coreclr", "msal.netcore", "msal.desktop", "msal.xamarin", "microsoft.identity.client",
        "aka.ms/msal-net", "a configuration issue is preventing authentication",
      ], "MSAL.NET"),
    CallerSign(["identitymodel.clients.activedirectory"], "ADAL.NET"),
    CallerSign(["system.aggregateexception", "unhandled exception: system.", ".exe: "], ".NET"),
    CallerSign(
      ["msal.application", "msal.oauth2cli", "adal_error", "site-packages", "x-client-sku=msal.python"],
      "MSAL Python"),
    // The form in which msal-common writes the provider's error: `50173 - [2026-03-02 09:00:00Z]: AADSTS50173: …`.
    CallerSign(["z]: aadsts", "undefined - [undefined]:"], "MSAL.js or MSAL Node"),
    CallerSign(["msal-go", "microsoft-authentication-library-for-go"], "MSAL Go"),
    CallerSign(
      ["process_aad_response", "get_azure_token", "azureauth", "microsoft365r", "azuregraph"],
      "AzureAuth for R"),
  ]

  /// The forms in which the runtime of a language prints an error, which no app for a phone has, in lowercase.
  private static let languages: [(words: [String], name: String)] = [
    (["traceback (most recent call last)", "oauthlib."], "a program in Python"),
    (["at java.base/", "com.microsoft.sqlserver.jdbc"], "a program in Java"),
    (["node:internal/", "processticksandrejections"], "a program in Node.js"),
    (
      [
        "system.runtime.compilerservices.", "system.runtime.exceptionservices.", "-dotnet-", "-dotnetcore-",
        ".net framework",
      ],
      "a program in .NET"
    ),
  ]

  /// Returns the language of the program whose error a line shows, or `nil` if it shows none.
  static func language(_ text: String) -> String? {
    languages.first { $0.words.contains(where: text.contains) }?.name
  }

  /// Returns a line, in lowercase, without the words of Entra's sentences about an API or an app that would be signs of a
  /// daemon: AADSTS500014, AADSTS7000229.
  static func withoutProviderWords(_ text: String) -> String {
    text.contains("service principal")
      ? text.replacing("service principal for resource", with: "")
        .replacing("missing service principal", with: "") : text
  }

  /// Returns whether a line, in lowercase, says that a credential in a chain was not tried.
  ///
  /// An identity that the machine does not have is reported in the same way (Azure.Identity,
  /// `ImdsManagedIdentityProbeSource`).
  static func isUntried(_ text: String) -> Bool {
    text.contains("authentication unavailable") && !text.contains("not been assigned")
  }

  /// Returns whether a line has the form in which Android's logcat or Android Studio prints one.
  static func isLogcat(_ line: Substring) -> Bool {
    let levels = "VDIWEF"
    func isDigits(_ text: Substring?) -> Bool {
      text.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ?? false
    }
    func isTime(_ text: Substring) -> Bool {
      text.count == 12 && text.dropFirst(8).first == "." && text.count(where: { $0 == ":" }) == 2
    }
    // E/AuthActivity( 1234): …
    if let first = line.first, levels.contains(first), line.dropFirst().first == "/" {
      let tag = line.dropFirst(2).prefix { $0.isLetter || $0.isNumber || "._-$".contains($0) }
      let rest = line.dropFirst(2 + tag.count)
      return !tag.isEmpty && (rest.first == ":" || rest.first == "(" && rest.contains("):"))
    }
    let words = line.prefix(120).split(separator: " ", maxSplits: 6)
    guard words.count > 4, words[0].contains("-"), words[0].allSatisfy({ $0.isNumber || $0 == "-" }),
      isTime(words[1])
    else { return false }
    // 06-12 17:56:16.123  1234  5678 E Tag: …
    if words[0].count == 5, isDigits(words[2]), isDigits(words[3]) {
      return words[4].count == 1 && levels.contains(words[4])
    }
    // 2026-06-12 17:56:16.123  1234-5678  Tag  com.example.app  E  …
    let ids = words[2].split(separator: "-", omittingEmptySubsequences: false)
    return words[0].count == 10 && ids.count == 2 && ids.allSatisfy { isDigits($0.prefix { $0 != "/" }) }
  }
}
