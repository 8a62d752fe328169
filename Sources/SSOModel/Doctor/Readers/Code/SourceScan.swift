import SSODevice

/// The facts about MSAL or ADAL in a source file, before names are replaced with the values that they represent.
struct SourceScan {
  private(set) var sdk: Found<SDKKind>?
  /// Whether the file contains `#if canImport(MSAL)`, so that the code is compiled only if the app links the library.
  private(set) var isConditional = false
  /// The flag of the build without which the file does not use the library: `#if FLAG`.
  private(set) var flag: String?
  /// Whether the file declares a class that stands in for MSAL's application object, as tests do.
  private(set) var replacesApplication = false
  private(set) var uses: [Use] = []
  /// The blocks in braces, which decide what a name represents.
  private(set) var blocks = SourceBlocks()
  /// The values that names represent, as in `let clientID = "…"` and `#define kClientID @"…"`.
  var constants: [String: [Declaration]] = [:]
  /// The texts of the cases of enumerations, which are also the keys of property lists that code decodes.
  private(set) var rawValues: [String: [Found<String>]] = [:]
  /// The names of the property lists that code reads, without their endings.
  private(set) var propertyLists: Set<String> = []
  /// The values that the file passes to its functions of Swift, by `function:label`.
  var arguments: [String: [Declaration]] = [:]
  /// The names of the files that the file imports, without their endings.
  private(set) var imports: Set<String> = []
  /// The places where `handleMSALResponse` or ADAL's counterpart is called, and the delegate that calls it.
  private(set) var callbacks: [Found<URLForwarding>] = []
  /// The places where it is called by a method that is not a delegate's, which gets the URL from somewhere else.
  private(set) var indirectCallbacks: [FilePlace] = []
  /// The functions of Swift that call it, or `nil` for a place outside functions.
  private(set) var indirectCallers: [String?] = []
  /// The methods that call it and whose name only resembles a delegate's method.
  private(set) var strays: [Found<URLForwarding>] = []
  /// The last method whose name only resembles a delegate's method.
  private var stray: (kind: URLForwarding, range: Range<Int>)?
  /// The tokens at which it is called.
  private(set) var callIndices: [Int] = []
  /// The delegate methods that use the URL that the system passes to them.
  private(set) var forwarders: [Forwarder] = []
  /// Whether the file creates `MSALPublicClientApplication` or the object of native authentication.
  private(set) var makesApplication = false
  private(set) var makesNativeApplication = false
  /// The place where code sets up native authentication without any challenge type.
  private(set) var noChallenges: FilePlace?
  /// The scopes of the requests that code makes.
  private(set) var requests: [Scopes] = []
  /// Whether code switches off the validation of the authority, which MSAL allows before version 2.
  private(set) var skipsValidation = false
  /// Whether the file uses classes that MSAL removed in version 0.2.
  private(set) var isOutdated = false
  /// The place of `@main struct … : App`, if the app is a SwiftUI app.
  private(set) var swiftUIApp: FilePlace?
  /// The delegate methods that exist, whatever they do, as places where a missing call belongs.
  private(set) var delegates: [Found<URLForwarding>] = []
  /// The places of `guard let source = options.sourceApplication else`, which skips the code that follows if there is
  /// none, and the delegate whose method contains it.
  private(set) var requiredSources: [Found<URLForwarding?>] = []
  /// The lines that contain the names of the delegate protocols, with the name of a class of Objective-C.
  private(set) var delegateClasses: [(name: String?, delegate: Found<URLForwarding>)] = []
  /// The places where classes of Objective-C are implemented, by their names.
  private(set) var implementations: [String: FilePlace] = [:]
  /// The class in which a scene delegate's method is, by the place of the method, or of a call in it.
  private(set) var sceneOwners: [FilePlace: String] = [:]
  /// The class of Objective-C whose implementation is being read.
  private var implemented: String?

  private static let callbackLimit = 100

  let code: SourceCode
  /// The names of the functions of Swift that the file declares.
  private(set) var functions: Set<String> = []
  /// The names of the functions of Swift, each with the token at which its body begins.
  var functionBodies: [(name: String, start: Int)] = []
  /// The types that contain these bodies, by the token at which they begin.
  private(set) var bodyOwners: [Int: Set<String>] = [:]
  /// The functions of Swift that read Info.plist by a key that they are given.
  var infoReaders: Set<String> = []
  /// The parameters of functions, by the token with which the function's body begins.
  var parameters: [Int: [(name: String, value: SourceCode.Expression)]] = [:]
  /// The flag of each condition that is open, or `nil` for any other condition.
  private var conditions: [String?] = []

  init(_ source: String, path: String) {
    code = SourceCode(source, path: path)
    functions = readFunctions()
    for index in tokens.indices {
      if isSymbol("{", at: index) { openBlock(at: index) }
      if isSymbol("}", at: index) { blocks.close() }
      if isSymbol("#", at: index) { takeCondition(at: index + 1) }
      if let kind = code.strayMethod(at: index) { stray = (kind, code.bodyRange(after: index)) }
      if let word = tokens[index].word {
        take(word, at: index)
        if isSymbol(":", at: index + 1), Self.isOfSetting(word) { takeInitialiser(word, at: index) }
        if functions.contains(word), isSymbol("(", at: index + 1), token(index - 1)?.word != "func" {
          takeCall(of: word, at: index)
        }
      }
      if let text = tokens[index].text, text.hasSuffix(".plist"), !text.contains("$(") {
        propertyLists.insert(String(fileName(text).dropLast(".plist".count)))
      }
    }
  }

  var tokens: [SourceToken] { code.tokens }
  var language: SourceLanguage? { code.language }
  func place(_ index: Int) -> FilePlace { code.place(index) }
  func token(_ index: Int) -> SourceToken? { code.token(index) }
  func isSymbol(_ symbol: Unicode.Scalar, at index: Int) -> Bool { code.isSymbol(symbol, at: index) }

  private mutating func addUse(
    _ key: Key, _ expression: SourceCode.Expression, at index: Int, className: String? = nil
  ) {
    uses.append(
      Use(key: key, expression: expression, place: place(index), block: blocks.current, className: className))
  }

  private mutating func take(_ word: String, at index: Int) {
    blocks.take(word, before: token(index + 1)?.word)
    switch word {
    case "import": takeImport(index)
    case "canImport":
      if ["MSAL", "ADAL"].contains(token(index + 2)?.word) { isConditional = true }
    case "main" where isSymbol("@", at: index - 1): takeMain(index)
    case "MSALPublicClientApplicationConfig", "initWithClientId", "acquireTokenWithResource", "acquireToken",
      "acquireTokenSilentWithResource", "MSALPublicClientApplication":
      if word == "MSALPublicClientApplication" {
        if isCreation(at: index) { makesApplication = true }
        let isSuper = isSymbol(":", at: index - 1) && ["class", "interface"].contains(token(index - 3)?.word)
        if isSuper { replacesApplication = true }
      }
      takeArguments(of: word, at: index)
    // Microsoft Quick Authentication makes MSAL's object from a client ID (AzureAD/quick-authentication-mobile,
    // `MSQASignInClient.m`).
    case "MSQAConfiguration": takeArguments(of: word, at: index)
    case "initWithClientID" where token(index - 3)?.word == "MSQAConfiguration":
      takeArguments(of: word, at: index)
    case "MSQASignInClient" where isCreation(at: index): makesApplication = true
    case "handle" where passesSource(at: index), "handleURL" where passesSource(at: index):
      takeCallback(index)
    case "MSALAADAuthority", "MSALAuthority", "MSALB2CAuthority", "MSALCIAMAuthority", "MSALADFSAuthority",
      "ADAuthenticationContext":
      takeAuthority(index)
    // `checkAppOpen` of capacitor-plugin-msauth calls `handleMSALResponse` (its README).
    case "handleMSALResponse", "handleADALResponse", "handleBrokerResponse", "checkAppOpen":
      if !isOwnFunction(word, at: index) { takeCallback(index) }
    case "setDefaultKeychainGroup":
      guard isSymbol("(", at: index + 1) || isSymbol(":", at: index + 1) else { return }
      addUse(.keychainGroup, code.expression(at: index + 2), at: index)
    case "MSALUser": isOutdated = true
    // `acquireTokenSilent(forScopes: …, user: …)`
    case "acquireTokenSilent", "acquireTokenSilentForScopes":
      let arguments = index + 1..<min(index + 40, tokens.count)
      let end = arguments.first { isSymbol("{", at: $0) || isSymbol(";", at: $0) } ?? arguments.upperBound
      if (index + 1..<end).contains(where: { token($0)?.word == "user" && isSymbol(":", at: $0 + 1) }) {
        isOutdated = true
      }
    case "MSALNativeAuthPublicClientApplication", "MSALNativeAuthPublicClientApplicationConfig":
      if isCreation(at: index) { makesNativeApplication = true }
      takeArguments(of: word, at: index)
    case "MSALInteractiveTokenParameters", "MSALSilentTokenParameters": takeScopes(index)
    case "func", "onOpenURL", "openURL": takeDelegateMethod(word, at: index)
    case "ofType", "withExtension":
      // `forResource: "Settings", ofType: "plist"`, `pathForResource:@"Settings" ofType:@"plist"`
      let own = tokens[..<index].suffix(4).last { $0.text != nil }?.text
      let end = tokens[(index + 1)...].prefix(4).first { $0.text != nil }?.text
      if let own, end == "plist" { propertyLists.insert(own) }
    case "sourceApplication" where code.isBound(at: index) && requiredSources.count < Self.callbackLimit:
      requiredSources.append(Found(code.context(of: index), place(index)))
    case "UIWindowSceneDelegate": takeDelegateClass(.sceneDelegate, at: index)
    case "UIApplicationDelegate", "FlutterAppDelegate": takeDelegateClass(.appDelegate, at: index)
    case "implementation" where isSymbol("@", at: index - 1):
      implemented = token(index + 1)?.word
      if let name = implemented { implementations[name] = implementations[name] ?? place(index) }
    case "openURLContexts":
      delegates.append(Found(.sceneDelegate, place(index)))
      takeSceneOwner(at: index)
    default: break
    }
    if isSymbol("=", at: index + 1), !isSymbol("=", at: index + 2) {
      takeAssignment(word, value: index + 2, at: index)
    } else if isSymbol(":", at: index + 1), token(index + 2)?.word != nil {
      // `let name: String? = "…"`
      let next = index + (isSymbol("?", at: index + 3) ? 4 : 3)
      if isSymbol("=", at: next), !isSymbol("=", at: next + 1) {
        takeConstant(word, value: next + 1, at: index)
      } else if ["let", "var"].contains(token(index - 1)?.word) {
        if let value = code.computedValue(at: next) {
          takeConstant(word, value: value, at: index)
        } else {
          // A property without a value here, or with a block that computes it.
          let isUnset =
            !isSymbol("{", at: next) || token(next + 1)?.word == "get" && !isSymbol("{", at: next + 2)
          add(
            Declaration(value: .other, place: place(index), block: blocks.current, isUnset: isUnset), to: word
          )
        }
      }
    } else if isSymbol(":", at: index + 1), isSymbol("[", at: index + 2), isSymbol("]", at: index + 4),
      case let next = index + (isSymbol("?", at: index + 5) ? 6 : 5), isSymbol("=", at: next)
    {
      // `let scopes: [String]? = […]`
      takeConstant(word, value: next + 1, at: index)
    } else if token(index - 1)?.word == "define" {
      takeConstant(word, value: index + 1, at: index)
    }
  }

  /// Returns whether a name is that of a function of the file itself, at its declaration or in a call of it.
  private func isOwnFunction(_ word: String, at index: Int) -> Bool {
    if token(index - 1)?.word == "func" { return true }
    guard functions.contains(word) else { return false }
    let dot = isSymbol("?", at: index - 2) ? index - 2 : index - 1
    return !isSymbol(".", at: index - 1) || token(dot - 1)?.word == "self"
  }

  /// Returns whether a class name is followed by the call of its initialiser: `Name(…)`, `[[Name alloc]`.
  private func isCreation(at index: Int) -> Bool {
    isSymbol("(", at: index + 1) || token(index + 1)?.word == "alloc"
      || isSymbol(".", at: index + 1) && token(index + 2)?.word == "init"
  }

  // MARK: Functions

  /// Opens a block, in which the parameters of the function that it belongs to are visible.
  private mutating func openBlock(at index: Int) {
    if parameters[index] != nil { bodyOwners[index] = blocks.owners(of: blocks.current) }
    blocks.open()
    for parameter in parameters[index] ?? [] {
      add(Declaration(value: parameter.value, place: place(index), block: blocks.current), to: parameter.name)
    }
  }

  // MARK: Delegate methods

  private mutating func takeCallback(_ index: Int) {
    guard callbacks.count + indirectCallbacks.count < Self.callbackLimit else { return }
    callIndices.append(index)
    if let stray, stray.range.contains(index) {
      strays.append(Found(stray.kind, place(stray.range.lowerBound)))
    } else if let delegate = code.context(of: index) {
      callbacks.append(Found(delegate, place(index)))
      if delegate == .sceneDelegate, !isInHandler(index) { takeSceneOwner(at: index) }
    } else {
      indirectCallbacks.append(place(index))
      indirectCallers.append(functionBodies.last { $0.start < index }?.name)
    }
  }

  private mutating func takeSceneOwner(at index: Int) {
    sceneOwners[place(index)] = code.language == .objectiveC ? implemented : blocks.owner(of: blocks.current)
  }

  /// Returns whether the last delegate's method that begins before a token is a handler of SwiftUI.
  private func isInHandler(_ index: Int) -> Bool {
    code.tokens[max(0, index - SourceCode.methodLimit)..<index].last {
      ["onOpenURL", "openURLContexts"].contains($0.word)
    }?.word == "onOpenURL"
  }

  /// Returns whether a call passes the source application, as `handle(url, sourceApplication: …)` of Microsoft Quick
  /// Authentication does.
  private func passesSource(at index: Int) -> Bool {
    (index + 2..<index + 8).contains {
      token($0)?.word == "sourceApplication" && isSymbol(":", at: $0 + 1)
    }
  }

  /// Reads the class that a protocol belongs to: `@interface Name : UIResponder <UIWindowSceneDelegate>`.
  private mutating func takeDelegateClass(_ delegate: URLForwarding, at index: Int) {
    let head = max(index - SourceCode.headLimit, 0)..<index
    let start = head.last { token($0)?.word == "interface" && isSymbol("@", at: $0 - 1) }
    delegateClasses.append((start.flatMap { token($0 + 1)?.word }, Found(delegate, place(index))))
  }

  /// Reads a method that the system calls with a URL, and whether its body uses the URL.
  private mutating func takeDelegateMethod(_ word: String, at index: Int) {
    switch word {
    case "onOpenURL":
      if code.handlerUsesURL(at: index) { addForwarder(.sceneDelegate, at: index, body: index) }
    case "openURL":
      // `application:(UIApplication *)app openURL:(NSURL *)url options:…`
      guard language == .objectiveC, isSymbol(":", at: index + 1), isSymbol("(", at: index + 2),
        token(index + 3)?.word == "NSURL", isSymbol(")", at: index + 5), let name = token(index + 6)?.word
      else { return }
      delegates.append(Found(.appDelegate, place(index)))
      if code.bodyUses([name], after: index + 6) { addForwarder(.appDelegate, at: index, body: index + 6) }
    default:
      guard let name = token(index + 1)?.word, ["application", "scene"].contains(name) else { return }
      let kind = name == "scene" ? URLForwarding.sceneDelegate : .appDelegate
      let label = name == "scene" ? "openURLContexts" : "open"
      for current in index + 2..<min(index + 40, tokens.count) {
        if isSymbol("{", at: current) || token(current)?.word == "func" { return }
        guard token(current)?.word == label, let parameter = token(current + 1)?.word,
          isSymbol(":", at: current + 2)
        else { continue }
        if kind == .appDelegate {
          delegates.append(Found(kind, place(index)))
        } else {
          takeSceneOwner(at: index)
        }
        if code.bodyUses([parameter], after: current + 2) { addForwarder(kind, at: index, body: current + 2) }
        return
      }
    }
  }

  private mutating func addForwarder(_ kind: URLForwarding, at index: Int, body start: Int) {
    guard stray?.range.contains(index) != true, !code.isIdle(after: start) else { return }
    // A method of the app delegate may pass it to anything, because not every app without scenes is known.
    let isRelay = kind == .appDelegate || code.bodyUses(Self.otherDelegates, after: start)
    forwarders.append(
      Forwarder(
        method: Found(kind, place(index)), isRelay: isRelay, callees: callees(after: start), body: start))
  }

  /// The words of code that calls the app delegate: `UIApplication.shared.delegate?.application?(…)`.
  private static let otherDelegates: Set<String> = [
    "application", "delegate", "appDelegate", "AppDelegate", "super",
  ]

  // MARK: Imports

  private mutating func takeImport(_ index: Int) {
    let next = index + (isSymbol("<", at: index + 1) ? 2 : 1)
    if let file = token(next)?.text { imports.insert(fileStem(file)) }
    let name =
      token(next)?.word
      ?? token(next)?.text?.split(separator: "/").first.map {
        // `#import "MSAL.h"`
        String($0).replacing(".h", with: "")
      }
    // `#import "ADAuthenticationContext.h"`
    let kind =
      SDKKind.allCases.first { $0.modules.contains(name ?? "") }
      ?? (name == "ADAuthenticationContext" ? .adal : nil)
    guard sdk == nil, let kind else { return }
    sdk = Found(kind, place(index))
    flag = conditions.lazy.compactMap(\.self).last
  }

  /// Reads a directive of the compiler or the preprocessor, which begins or ends a condition.
  private mutating func takeCondition(at index: Int) {
    switch token(index)?.word {
    case "if", "ifdef":
      let isAlone = token(index + 2)?.line != token(index)?.line
      conditions.append(isAlone ? token(index + 1)?.word : nil)
    case "ifndef": conditions.append(nil)
    case "else", "elseif", "elif":
      if !conditions.isEmpty { conditions[conditions.count - 1] = nil }
    case "endif": _ = conditions.popLast()
    default: break
    }
  }

  private mutating func takeMain(_ index: Int) {
    let end = (index..<min(index + 12, tokens.count)).first { isSymbol("{", at: $0) } ?? index
    if (index..<end).contains(where: { token($0)?.word == "App" }) { swiftUIApp = place(index) }
  }

  // MARK: Values

  private static let labels: [String: Key] = [
    "clientId": .clientID, "clientID": .clientID, "initWithClientId": .clientID,
    "initWithClientID": .clientID, "redirectUri": .redirectURI,
    "redirectURI": .redirectURI, "authority": .authority, "tenantSubdomain": .tenantSubdomain,
  ]

  /// Reads the labelled arguments of a call.
  ///
  /// They extend to the closing bracket in Swift, and to the end of the statement in Objective-C.
  private mutating func takeArguments(of word: String, at index: Int) {
    // MSALPublicClientApplication(configuration:) does not have arguments of interest, or an end that a search would
    // find.
    let start = Self.labels[word] == nil ? index + 1 : index
    guard isSymbol("(", at: index + 1) || isSymbol(":", at: index + 1) else { return }
    var depth = 0
    for current in start..<min(start + 200, tokens.count) {
      if isSymbol("(", at: current) { depth += 1 }
      if isSymbol(")", at: current) {
        depth -= 1
        if depth == 0, isSymbol("(", at: index + 1) { return }
      }
      if isSymbol(";", at: current) { return }
      if token(current)?.word == "challengeTypes", isSymbol("[", at: current + 2),
        isSymbol("]", at: current + 3)
      {
        noChallenges = place(current)
      }
      guard let label = token(current)?.word, let key = Self.labels[label], isSymbol(":", at: current + 1)
      else { continue }
      addUse(key, code.expression(at: current + 2), at: current)
    }
  }

  /// Reads the URL with which an authority is created: `MSALAADAuthority(url: …)`,
  /// `[[MSALAADAuthority alloc] initWithURL:…`.
  private mutating func takeAuthority(_ index: Int) {
    if let value = code.authorityWithTenant(at: index) {
      return addUse(.authority, value, at: index, className: token(index)?.word)
    }
    let labels: Set<String> = [
      "url", "initWithURL", "authorityWithURL", "authority", "initWithAuthority",
      "authenticationContextWithAuthority",
    ]
    for current in index + 1..<min(index + 10, tokens.count) {
      guard let label = token(current)?.word, labels.contains(label), isSymbol(":", at: current + 1) else {
        continue
      }
      let value = code.expression(at: current + 2)
      // Skip a parameter of one of the app's own functions: `func make(authority: MSALAuthority)`.
      if value != .absent {
        addUse(.authority, value, at: current, className: token(index)?.word)
      }
      return
    }
  }

  private mutating func takeAssignment(_ word: String, value: Int, at index: Int) {
    let isMember = isSymbol(".", at: index - 1)
    switch word {
    case "redirectUri" where isMember, "redirectURI" where isMember:
      addUse(.redirectURI, code.expression(at: value), at: index)
    case "keychainSharingGroup" where isMember, "defaultKeychainSharingGroup" where isMember:
      addUse(.keychainGroup, code.expression(at: value), at: index)
    case "brokerAvailability", "credentialsType":
      let last = code.lastWord(from: value)
      addUse(.brokerUse, last.map { .text($0) } ?? .other, at: index)
    case "bypassRedirectURIValidation":
      addUse(.bypass, code.lastWord(from: value).map { .text($0) } ?? .other, at: index)
    case "validateAuthority" where isMember:
      if ["false", "NO"].contains(code.lastWord(from: value)) { skipsValidation = true }
    case "knownAuthorities" where isMember:
      addUse(.knownAuthority, code.expression(at: value), at: index)
    default: takeConstant(word, value: value, at: index)
    }
  }

  /// Reads the scopes with which a request is created: `MSALInteractiveTokenParameters(scopes: …)`,
  /// `[[MSALSilentTokenParameters alloc] initWithScopes:…`.
  private mutating func takeScopes(_ index: Int) {
    for current in index + 1..<min(index + 8, tokens.count) {
      guard ["scopes", "initWithScopes"].contains(token(current)?.word), isSymbol(":", at: current + 1) else {
        continue
      }
      if let list = list(at: current + 2) { return requests.append(.list(list)) }
      let value = code.expression(at: current + 2)
      if value.isNamed {
        requests.append(
          .name(Declaration(value: value, place: place(current), block: blocks.current)))
      }
      return
    }
  }

  /// Returns the list of strings that begins at a token, or `nil` for any other value.
  private func list(at start: Int) -> List? {
    let open = isSymbol("@", at: start) ? start + 1 : start
    guard isSymbol("[", at: open) else { return nil }
    let inner = tokens[(open + 1)...].prefix(SourceCode.listLimit).prefix { !$0.isSymbol("]") }
    // `["…"] + others`
    guard isSymbol("]", at: inner.endIndex),
      !["+", ".", "["].contains(where: { isSymbol($0, at: inner.endIndex + 1) })
    else { return nil }
    let starts = [open + 1] + inner.indices.filter { isSymbol(",", at: $0) }.map { $0 + 1 }
    let items = starts.filter { $0 < inner.endIndex }.map { start in
      Declaration(value: code.expression(at: start), place: place(start), block: blocks.current)
    }
    return items.isEmpty || !items.allSatisfy(\.value.isKnown) ? nil : List(items: items, place: place(open))
  }

  private mutating func takeConstant(_ word: String, value: Int, at index: Int) {
    if token(index - 1)?.word == "case" {
      // The raw value is the text of the case, and not of every name like it.
      if let text = token(value)?.text { rawValues[word, default: []].append(Found(text, place(value))) }
      return
    }
    var expression = code.expression(at: value)
    guard ![.name(word), .member(word)].contains(expression) else { return }
    if isSymbol("=", at: value - 1), isChangedByOthers(index, expression) { expression = .other }
    let isOfOther = isSymbol(".", at: index - 1) && !["self", "Self"].contains(token(index - 2)?.word)
    let isOfFile = isOfOther || token(index - 1)?.word == "define"
    let block =
      isOfFile
      ? SourceBlocks.file
      : code.beginsStatement(index)
        ? assigned(word, isOfSelf: isSymbol(".", at: index - 1)) : blocks.current
    add(
      Declaration(
        value: expression, place: place(index), block: block,
        reach: isOfOther ? .otherMember : .block, list: list(at: value)), to: word)
  }

  /// Returns whether other code gives a variable its value: `var clientID = ""`, `@AppStorage("id") var clientID = "…"`.
  private func isChangedByOthers(_ index: Int, _ value: SourceCode.Expression) -> Bool {
    guard token(index - 1)?.word == "var" else { return false }
    let wrappers: Set = ["State", "AppStorage", "SceneStorage", "Binding"]
    return value == .text("")
      || (max(0, index - 8)..<index).contains {
        isSymbol("@", at: $0) && wrappers.contains(token($0 + 1)?.word ?? "")
      }
  }

  /// Returns the block of the variable or the property to which a statement assigns a value.
  private func assigned(_ name: String, isOfSelf: Bool) -> Int {
    let declared = Set((constants[name] ?? []).filter { $0.reach == .block }.map(\.block))
    let outer = isOfSelf ? nil : blocks.chain(of: blocks.current).first(where: declared.contains)
    return outer ?? blocks.type(around: blocks.current)
  }
}
